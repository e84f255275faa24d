package dev.postern.base;

import java.time.Duration;

/// A key of `config.json` that says how long something may take, for messages.
///
/// @param shortName as in `the model deadline of 2m`
/// @param key as in `model.timeout`
/// @param ceiling the most that a user may configure
public record WaitSetting(String shortName, String key, Duration ceiling) {}
