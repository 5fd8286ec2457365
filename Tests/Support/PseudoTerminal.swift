package import Foundation

/// A pseudo-terminal for programs that prompt.
package final class PseudoTerminal: Sendable {
    /// The user's side and the program's side.
    private let ours: Int32
    private let theirs: Int32

    /// The size of a terminal.
    package struct Size: Sendable {
        let columns, rows, cellWidth, cellHeight: UInt16

        /// - Parameters:
        ///   - cellWidth: The width of a cell in pixels.
        ///   - cellHeight: The height of a cell in pixels.
        package init(columns: UInt16, rows: UInt16, cellWidth: UInt16, cellHeight: UInt16) {
            (self.columns, self.rows, self.cellWidth, self.cellHeight) = (columns, rows, cellWidth, cellHeight)
        }
    }

    /// - Parameter size: What the terminal states as its size; `nil` if it states nothing.
    package init(size: Size? = nil) throws {
        var (ours, theirs, stated) = (Int32(-1), Int32(-1), winsize())
        if let size {
            (stated.ws_col, stated.ws_row) = (size.columns, size.rows)
            (stated.ws_xpixel, stated.ws_ypixel) = (size.columns * size.cellWidth, size.rows * size.cellHeight)
        }
        guard openpty(&ours, &theirs, nil, nil, &stated) == 0 else {
            throw RawFailure(text: "cannot open a pseudo-terminal")
        }
        // Otherwise the program would keep the user's side open.
        for side in [ours, theirs] { _ = fcntl(side, F_SETFD, FD_CLOEXEC) }
        (self.ours, self.theirs) = (ours, theirs)
    }

    deinit {
        close(ours)
        close(theirs)
    }

    /// The handle to use as a program's standard input.
    package var handle: FileHandle { FileHandle(fileDescriptor: theirs, closeOnDealloc: false) }

    /// Whether the terminal echoes, reads lines, and turns Ctrl-C into a signal.
    package var isInDefaultMode: Bool {
        var state = termios()
        let usual = tcflag_t(ECHO | ICANON | ISIG)
        return tcgetattr(theirs, &state) == 0 && state.c_lflag & usual == usual
    }

    /// The output of programs since the last call; does not wait.
    package func output() -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        var source = pollfd(fd: ours, events: Int16(POLLIN), revents: 0)
        while poll(&source, 1, 0) == 1, source.revents & Int16(POLLIN) != 0 {
            let count = read(ours, &buffer, buffer.count)
            guard count > 0 else { break }
            data += buffer[..<count]
        }
        return data
    }

    package func type(_ keys: String) { _ = write(ours, keys, keys.utf8.count) }
}
