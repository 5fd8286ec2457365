import FeedWeb
import Foundation

/// Formats log lines and writes them in large pieces.
struct LogWriter {
    /// The number of bytes to collect before they are written.
    private static let piece = 16 << 10

    private let descriptor: Int32
    private var text: [UInt8] = []
    private var times = LogTimes()

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Blocks until everything is written.
    /// - Parameter progress: Called after each piece.
    /// - Returns: `false` if the descriptor has failed: its disk is full, or its reader is gone.
    mutating func write(_ lines: [LogLine], progress: () -> Void) -> Bool {
        defer { text.removeAll(keepingCapacity: true) }
        for line in lines {
            line.append(to: &text, times: &times)
            guard text.count >= Self.piece else { continue }
            guard writeText() else { return false }
            progress()
        }
        return writeText()
    }

    private mutating func writeText() -> Bool {
        var rest = text[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Whoever shares a pipe with this process may have set O_NONBLOCK.
                var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&state, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        text.removeAll(keepingCapacity: true)
        return true
    }
}
