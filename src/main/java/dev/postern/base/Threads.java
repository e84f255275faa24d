package dev.postern.base;

import java.time.Duration;
import java.util.function.Consumer;

/// The only place that makes threads, so that each one has a name and none keeps the program alive.
public final class Threads {
    private static volatile Consumer<String> faults = text -> {};

    private Threads() {}

    /// Tells `sink` of whatever escapes the work of a thread: its kind and our place that it came from, and never
    /// its message, which may hold a secret (SEC-5). Nobody is told before.
    public static void tellFaults(Consumer<String> sink) {
        faults = sink;
    }

    private static void escaped(Thread thread, Throwable fault) {
        faults.accept(thread.getName() + " failed: " + fault.getClass().getSimpleName() + place(fault));
    }

    private static String place(Throwable fault) {
        for (var frame : fault.getStackTrace()) {
            if (frame.getClassName().startsWith("dev.postern.")) {
                return " at " + frame.getClassName() + "." + frame.getMethodName() + ":" + frame.getLineNumber();
            }
        }
        return "";
    }

    /// A started platform thread: for pipes, whose blocking reads would pin a virtual thread's carrier, and for
    /// launching, because the kernel ties a child's parent-death signal to the very thread that started it.
    public static Thread platform(String name, Runnable work) {
        return Thread.ofPlatform()
                .daemon(true)
                .name(name)
                .uncaughtExceptionHandler(Threads::escaped)
                .start(work);
    }

    /// A started virtual thread: for callers that wait.
    public static Thread virtual(String name, Runnable work) {
        return Thread.ofVirtual()
                .name(name)
                .uncaughtExceptionHandler(Threads::escaped)
                .start(work);
    }

    /// Waits until `thread` has ended, however often the waiting thread is interrupted.
    public static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits a moment, for what nobody announces: the state of a process that is not our child. An interrupt ends
    /// the wait early and stays set.
    public static void pause(Duration moment) {
        try {
            Thread.sleep(moment);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
