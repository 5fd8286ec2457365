/// Receives the bytes of a copy in order.
package protocol ByteSink {
    mutating func write(_ bytes: ArraySlice<UInt8>) throws(MediaFault)
    /// Must be called after the last byte. It does not sync.
    mutating func finish() throws(MediaFault)
}

/// Collects the bytes in memory.
package struct MemorySink: ByteSink {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ bytes: ArraySlice<UInt8>) throws(MediaFault) { self.bytes += bytes }

    package mutating func finish() throws(MediaFault) {}
}

/// Counts the bytes.
struct CountingSink: ByteSink {
    private(set) var count: Int64 = 0

    mutating func write(_ bytes: ArraySlice<UInt8>) throws(MediaFault) { count += Int64(bytes.count) }

    mutating func finish() throws(MediaFault) {}
}
