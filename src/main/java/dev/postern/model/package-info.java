/// Chat models behind one small interface.
@NullMarked
package dev.postern.model;

import org.jspecify.annotations.NullMarked;
