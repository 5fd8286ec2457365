import Foundation

/// A file that is being copied.
struct MediaStream<Source: ByteSource, Sink: ByteSink> {
    var reader: MediaReader<Source>
    private(set) var sink: Sink

    init(_ reader: MediaReader<Source>, _ sink: Sink) {
        self.reader = reader
        self.sink = sink
    }

    var remaining: Int64 { reader.remaining }

    mutating func peek(_ count: Int) throws(MediaError) -> ArraySlice<UInt8> { try reader.peek(count) }

    mutating func read(_ count: Int) throws(MediaError) -> ArraySlice<UInt8> { try reader.read(count) }

    mutating func byte() throws(MediaError) -> UInt8 { try reader.byte() }

    mutating func skip(_ count: some BinaryInteger) throws(MediaError) { try reader.skip(Int64(count)) }

    mutating func write(_ bytes: some Sequence<UInt8>) throws(MediaError) { try sink.write(Array(bytes)[...]) }

    /// Reads bytes, writes them, and returns them.
    @discardableResult
    mutating func pass(_ count: Int) throws(MediaError) -> ArraySlice<UInt8> {
        let bytes = try read(count)
        try sink.write(bytes)
        return bytes
    }

    /// Copies bytes.
    mutating func copy(_ count: some BinaryInteger) throws(MediaError) {
        var rest = Int64(count)
        while rest > 0 { rest -= Int64(try copySome(rest).count) }
    }

    /// Copies at least one byte, and returns what it has copied.
    /// - Parameter limit: The maximum number of bytes.
    mutating func copySome(_ limit: Int64) throws(MediaError) -> ArraySlice<UInt8> {
        let count = try reader.window(atLeast: 1).count
        return try pass(Int(min(limit, Int64(count))))
    }

    mutating func writeZeros(_ count: some BinaryInteger) throws(MediaError) {
        var rest = Int64(count)
        let zeros = [UInt8](repeating: 0, count: Int(max(0, min(rest, Int64(MediaBounds.memory)))))
        while rest > 0 {
            try sink.write(zeros.prefix(Int(min(rest, Int64(zeros.count)))))
            rest -= Int64(zeros.count)
        }
    }

    /// Replaces bytes with zeros.
    mutating func blank(_ count: some BinaryInteger) throws(MediaError) {
        try skip(count)
        try writeZeros(count)
    }
}
