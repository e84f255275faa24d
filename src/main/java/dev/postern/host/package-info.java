/// [dev.postern.host.Host], the one interface the faces use.
@NullMarked
package dev.postern.host;

import org.jspecify.annotations.NullMarked;
