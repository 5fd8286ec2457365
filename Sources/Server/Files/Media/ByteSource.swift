/// A file that is read from its beginning to its end. It is a value: a copy reads on independently.
package protocol ByteSource {
    /// The number of bytes that have not been read yet.
    var remaining: Int64 { get }
    /// Reads exactly `count` bytes.
    /// - Throws: ``MediaFault/incomplete`` if fewer remain.
    mutating func read(_ count: Int) throws(MediaFault) -> [UInt8]
    /// Moves on without reading.
    /// - Throws: ``MediaFault/incomplete`` if fewer than `count` bytes remain.
    mutating func skip(_ count: Int64) throws(MediaFault)
}

/// Bytes in memory.
package struct MemorySource: ByteSource {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    package var remaining: Int64 { Int64(rest.count) }

    package mutating func read(_ count: Int) throws(MediaFault) -> [UInt8] {
        guard count >= 0, count <= rest.count else { throw .incomplete }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    package mutating func skip(_ count: Int64) throws(MediaFault) {
        guard count >= 0, count <= remaining else { throw .incomplete }
        rest = rest.dropFirst(Int(count))
    }
}
