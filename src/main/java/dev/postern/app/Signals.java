package dev.postern.app;

import java.lang.reflect.Proxy;
import java.util.List;

/// Has signals call us instead of ending the virtual machine, which counts the first one only: the second is to
/// hurry a worker (WRK-4), and a command that is ending. The JDK's class for that stands outside its standard, and a
/// compiler that takes warnings for errors refuses to see it: hence by name.
final class Signals {
    private static final List<String> NAMES = List.of("TERM", "INT", "HUP");

    private Signals() {}

    /// Runs `told` with each SIGTERM, SIGINT and SIGHUP from now on, where the virtual machine can; elsewhere
    /// the first one begins its shutdown as ever.
    static void handle(Runnable told) {
        try {
            var signal = Class.forName("sun.misc.Signal");
            var handler = Class.forName("sun.misc.SignalHandler");
            var ours = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        // Nobody asks it for anything else.
                        if (method.getName().equals("handle")) {
                            told.run();
                        }
                        return null;
                    });
            for (var name : NAMES) {
                var _ = signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            // The shutdown hook does what it can.
        }
    }
}
