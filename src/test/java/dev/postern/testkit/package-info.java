/// What tests of several packages share: one scripted misbehaving server, and the check that nothing remains.
package dev.postern.testkit;
