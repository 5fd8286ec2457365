import Foundation

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

    package mutating func write(_ bytes: ArraySlice<UInt8>) throws(MediaFault) {
        buffer += bytes
        if buffer.count >= Self.capacity { try finish() }
    }

    package mutating func finish() throws(MediaFault) {
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
