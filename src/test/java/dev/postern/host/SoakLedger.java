package dev.postern.host;

import dev.postern.call.CallIntent;
import dev.postern.call.CallLedger;
import dev.postern.call.CallSettlement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// What was recorded of each call, everything that was recorded.
final class SoakLedger implements CallLedger {
    private final Map<String, List<String>> words = new ConcurrentHashMap<>();

    @Override
    public void intend(CallIntent intent) {
        add(intent.call().callId(), "intended");
    }

    @Override
    public void settle(CallSettlement settlement) {
        add(settlement.call().callId(), settlement.outcome().word());
    }

    private void add(String callId, String word) {
        words.computeIfAbsent(callId, id -> new CopyOnWriteArrayList<>()).add(word);
    }

    /// In the order of recording.
    List<String> of(String callId) {
        return words.getOrDefault(callId, List.of());
    }

    int calls() {
        return words.size();
    }
}
