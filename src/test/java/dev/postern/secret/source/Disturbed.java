package dev.postern.secret.source;

import dev.postern.natives.Directory;
import dev.postern.natives.FileStatus;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A real directory under which something happens at the worst moment.
record Disturbed(Directory real, Moment moment, Disturbance disturbance) implements Directory {
    interface Disturbance {
        void happen() throws IOException;
    }

    @Override
    public FileStatus status() throws IOException {
        return real.status();
    }

    @Override
    public @Nullable FileStatus status(String name) throws IOException {
        return real.status(name);
    }

    @Override
    public Directory openDirectory(String name) throws IOException {
        happen(Moment.BEFORE_OPENING_DIRECTORY);
        return new Disturbed(real.openDirectory(name), moment, disturbance);
    }

    @Override
    public OpenFile openForReading(String name) throws IOException {
        happen(Moment.BEFORE_OPENING);
        var file = real.openForReading(name);
        return new OpenFile() {
            @Override
            public FileStatus status() throws IOException {
                return file.status();
            }

            @Override
            public byte[] read(int most) throws IOException {
                happen(Moment.BEFORE_READING);
                return file.read(most);
            }

            @Override
            public void write(byte[] bytes) throws IOException {
                file.write(bytes);
            }

            @Override
            public void sync() throws IOException {
                file.sync();
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        };
    }

    @Override
    public OpenFile create(String name) throws IOException {
        return real.create(name);
    }

    @Override
    public void makeDirectory(String name) throws IOException {
        real.makeDirectory(name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        real.rename(from, to);
    }

    @Override
    public void remove(String name) throws IOException {
        real.remove(name);
    }

    @Override
    public void sync() throws IOException {
        real.sync();
    }

    @Override
    public List<String> names() throws IOException {
        return real.names();
    }

    @Override
    public void close() throws IOException {
        real.close();
    }

    private void happen(Moment now) throws IOException {
        if (now == moment) {
            disturbance.happen();
        }
    }
}
