/// What tests of several packages share: one scripted misbehaving server, the check that nothing remains, and the
/// bounds on what one input may cost.
package dev.postern.testkit;
