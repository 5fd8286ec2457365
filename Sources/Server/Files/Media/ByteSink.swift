import Foundation

/// Receives the bytes of a copy in order.
package protocol ByteSink {
    mutating func write(_ bytes: ArraySlice<UInt8>) throws(MediaError)
    /// Must be called after the last byte. It does not sync.
    mutating func finish() throws(MediaError)
}

/// Collects the bytes in memory.
package struct MemorySink: ByteSink {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ bytes: ArraySlice<UInt8>) throws(MediaError) { self.bytes += bytes }

    package mutating func finish() throws(MediaError) {}
}

/// Counts the bytes.
struct CountingSink: ByteSink {
    private(set) var count: Int64 = 0

    mutating func write(_ bytes: ArraySlice<UInt8>) throws(MediaError) { count += Int64(bytes.count) }

    mutating func finish() throws(MediaError) {}
}

/// Appends to a file, in pieces of at least ``capacity`` bytes.
package struct FileSink: ByteSink {
    private static let capacity = 64 * 1024

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// - Parameter descriptor: An open file, which the caller closes.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
        buffer.reserveCapacity(2 * Self.capacity)
    }

    package mutating func write(_ bytes: ArraySlice<UInt8>) throws(MediaError) {
        buffer += bytes
        if buffer.count >= Self.capacity { try finish() }
    }

    package mutating func finish() throws(MediaError) {
        var written = 0
        while written < buffer.count {
            let result = buffer[written...].withUnsafeBytes { rest in
                Foundation.write(descriptor, rest.baseAddress, rest.count)
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw .failed("write", errno) }
            written += result
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
