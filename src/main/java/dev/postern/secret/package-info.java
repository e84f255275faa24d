/// Secret references, secret values and their redaction. Pure.
@NullMarked
package dev.postern.secret;

import org.jspecify.annotations.NullMarked;
