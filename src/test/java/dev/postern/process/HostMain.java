package dev.postern.process;

import dev.postern.base.Deadline;
import dev.postern.base.Timeout;
import dev.postern.process.Containment.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A host in a process of its own, to be killed, interrupted, or run as another user: starts one server, says
/// `pid N KIND`, and passes lines between its own pipes and the server's. Stops it when its input ends.
final class HostMain implements InstanceListener {
    private static final PrintStream OUT = System.out;

    private HostMain() {}

    /// Arguments: the strongest kind of containment, after a colon perhaps a directory that has all the system's
    /// tools; the command and its arguments.
    public static void main(String... args) throws IOException {
        var spec = new LaunchSpec(
                "hosted", args[1], List.of(args).subList(2, args.length), null, Launched.ENVIRONMENT, Map.of());
        var how = args[0].split(":", 2);
        var tools = how.length == 1 ? Toolbox.system() : new Toolbox(List.of(Path.of(how[1])));
        var launcher = new Launcher(tools, Kind.valueOf(how[0]));
        var deadline = Deadline.after(Duration.ofSeconds(20), Timeout.STARTUP);
        switch (launcher.launch(spec, new HostMain(), Duration.ofSeconds(10), deadline)) {
            case Launcher.Launch.Failed failed -> say(failed.problem().toString());
            case Launcher.Launch.Started started -> serve(started.instance());
        }
    }

    private static void serve(Instance instance) throws IOException {
        say("pid " + instance.pid() + " " + instance.containment().kind());
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            var _ = instance.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        }
        say("left " + instance.stop(Deadline.after(Duration.ofSeconds(5), Timeout.CLOSE)));
    }

    private static synchronized void say(String line) {
        OUT.println(line);
        OUT.flush();
    }

    @Override
    public void output(byte[] buffer, int count) {
        synchronized (HostMain.class) {
            OUT.write(buffer, 0, count);
            OUT.flush();
        }
    }

    @Override
    public void ended(Ending ending) {
        say(ending.toString());
    }
}
