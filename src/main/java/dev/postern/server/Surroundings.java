package dev.postern.server;

import dev.postern.process.Launcher;
import dev.postern.secret.source.HostEnvironment;
import dev.postern.secret.source.SecretResolver;
import dev.postern.store.DiscoveryStore;
import java.time.InstantSource;

/// What every supervisor of one host shares.
public record Surroundings(
        Launcher launcher,
        HostEnvironment environment,
        SecretResolver resolver,
        SecretRegistry secrets,
        DiscoveryStore discoveries,
        InstantSource time) {}
