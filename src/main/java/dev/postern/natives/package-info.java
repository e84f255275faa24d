/// Functions of the operating system that the JDK doesn't offer. The only user of `java.lang.foreign`. Nothing is
/// linked before it is needed; where it can't be, the JDK does what it can, see [dev.postern.natives.Directory].
@NullMarked
package dev.postern.natives;

import org.jspecify.annotations.NullMarked;
