package dev.postern.catalog;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Proves that a schema's references end, and how much they stand for. Evaluation follows each reference anew,
/// so it is what they unfold to, and not the size of the text, that bounds the work: 25 definitions that each
/// point twice at the next are 1.6 KB and 33 million evaluations.
final class References {
    /// The largest real schema brings in a few dozen.
    static final long MAX_UNFOLDED = 4_096;

    /// Bounds the stack that compiling and evaluating take, to a quarter of what a thread has; no real schema
    /// nests a tenth of it.
    static final int MAX_LEVELS = 256;

    private static final long HUGE = Long.MAX_VALUE / 4;

    private final Map<String, Position> positions;
    private final Quoting quoting;
    private final Map<Position, Cost> costs = new HashMap<>();

    private References(Map<String, Position> positions, Quoting quoting) {
        this.positions = positions;
        this.quoting = quoting;
    }

    /// What is wrong with the references between `positions`, or null.
    static @Nullable Fault check(Map<String, Position> positions, Position root, Quoting quoting) {
        return new References(positions, quoting).check(root);
    }

    /// What evaluating one position stands for.
    ///
    /// @param brought the JSON values that references below it bring in, each time they do
    /// @param levels how deep evaluation goes
    private record Cost(long brought, int levels) {}

    /// A position whose children are being looked at, in a walk that must not recurse: a chain of references
    /// may be thousands long.
    private static final class Visit {
        private final Position position;
        private final @Nullable Position target;
        private int next;

        Visit(Position position, @Nullable Position target) {
            this.position = position;
            this.target = target;
        }

        @Nullable
        Position nextChild() {
            int index = next++;
            if (index < position.applied.size()) {
                return position.applied.get(index);
            }
            return index == position.applied.size() ? target : null;
        }
    }

    private @Nullable Fault check(Position root) {
        for (Position position : positions.values()) {
            if (position.target != null && !positions.containsKey(position.target)) {
                return new Fault(
                        ExclusionCode.SCHEMA_REF_DANGLING,
                        "has a reference at " + quoting.place(position.pointer) + " to "
                                + quoting.place(position.target) + ", where there is no schema");
            }
        }
        // The root first; then definitions that nothing refers to.
        Fault fault = walk(root);
        for (Position position : positions.values()) {
            if (fault == null && !costs.containsKey(position)) {
                fault = walk(position);
            }
        }
        return fault != null ? fault : unfolding(root);
    }

    private @Nullable Fault walk(Position start) {
        var stack = new ArrayDeque<Visit>();
        var open = new HashSet<Position>();
        push(start, stack, open);
        while (!stack.isEmpty()) {
            Visit visit = stack.element();
            Position child = visit.nextChild();
            if (child == null) {
                stack.pop();
                open.remove(visit.position);
                costs.put(visit.position, cost(visit));
            } else if (open.contains(child)) {
                return new Fault(
                        ExclusionCode.SCHEMA_REF_CYCLIC,
                        "has a reference that leads back to where it is, at " + quoting.place(child.pointer));
            } else if (!costs.containsKey(child)) {
                push(child, stack, open);
            }
        }
        return null;
    }

    private void push(Position position, ArrayDeque<Visit> stack, Set<Position> open) {
        stack.push(new Visit(position, position.target == null ? null : positions.get(position.target)));
        open.add(position);
    }

    private Cost cost(Visit visit) {
        long brought = 0;
        int levels = 0;
        for (Position child : visit.position.applied) {
            Cost cost = known(child);
            brought = Math.min(HUGE, brought + cost.brought());
            levels = Math.max(levels, cost.levels());
        }
        if (visit.target != null) {
            Cost cost = known(visit.target);
            brought = Math.min(
                    HUGE,
                    brought + cost.brought() + Measure.of(visit.target.node).values());
            levels = Math.max(levels, cost.levels());
        }
        return new Cost(brought, levels + 1);
    }

    private Cost known(Position position) {
        Cost cost = costs.get(position);
        if (cost == null) {
            throw new IllegalStateException("children come before their parent");
        }
        return cost;
    }

    private @Nullable Fault unfolding(Position root) {
        Cost cost = known(root);
        if (cost.brought() > MAX_UNFOLDED) {
            String seen = cost.brought() == HUGE ? "more than " + HUGE : String.valueOf(cost.brought());
            return new Fault(
                    ExclusionCode.SCHEMA_UNFOLDING,
                    "has references that unfold to " + seen + " nodes, over the fixed limit of " + MAX_UNFOLDED);
        }
        if (cost.levels() > MAX_LEVELS) {
            return new Fault(
                    ExclusionCode.SCHEMA_UNFOLDING,
                    "has references that nest " + cost.levels() + " levels deep, over the fixed limit of "
                            + MAX_LEVELS);
        }
        return null;
    }
}
