@NullMarked
package dev.postern.demo;

import org.jspecify.annotations.NullMarked;
