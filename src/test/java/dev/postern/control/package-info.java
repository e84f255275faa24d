@org.jspecify.annotations.NullMarked
package dev.postern.control;
