import NIOCore

/// A buffer for received bytes, which combines many small reads into one write.
struct WriteBuffer: Sendable {
    /// The number of bytes at which the buffer is written.
    static let capacity = 512 << 10
    /// The time in seconds after which the bytes of a slow connection are written.
    static let maximumDelay = 0.2

    /// The position of the buffered bytes in the file.
    private(set) var offset: Int64
    /// The end of the needed bytes. It only decreases, when another connection takes over the rest.
    private(set) var end: Int64
    private(set) var buffers: [ByteBuffer] = []
    /// The number of buffered bytes.
    private(set) var count = 0
    /// Bytes at the start of the body that are not needed.
    private var skip: Int64
    private var firstAppend: Double?

    /// - Parameters:
    ///   - body: The range of bytes in the response.
    ///   - skip: The number of bytes at its start that are not needed.
    init(_ body: Range<Int64>, skipping skip: Int64 = 0) {
        (offset, end, self.skip) = (body.lowerBound + skip, body.upperBound, skip)
    }

    /// The bytes in the buffer.
    var range: Range<Int64> { offset..<offset + Int64(count) }

    /// The number of bytes that are still needed, including the buffered ones.
    var remaining: Int64 { end - offset }

    func isDue(now: Double) -> Bool {
        count >= Self.capacity || Int64(count) >= remaining
            || firstAppend.map { now - $0 >= Self.maximumDelay } ?? false
    }

    mutating func append(_ received: ByteBuffer, now: Double) {
        var buffer = received
        let skipped = Int(min(skip, Int64(buffer.readableBytes)))
        buffer.moveReaderIndex(forwardBy: skipped)
        skip -= Int64(skipped)
        guard buffer.readableBytes > 0 else { return }
        if firstAppend == nil { firstAppend = now }
        buffers.append(buffer)
        count += buffer.readableBytes
    }

    /// Limits the needed bytes to the next `count`.
    mutating func truncate(to count: Int64) {
        if count < remaining { end = offset + count }
    }

    /// Removes the first `wanted` bytes and discards the other buffered ones.
    mutating func take(_ wanted: Int) -> WriteBuffer {
        var taken = self
        while taken.count > wanted, var last = taken.buffers.popLast() {
            taken.count -= last.readableBytes
            if taken.count < wanted, let part = last.readSlice(length: wanted - taken.count) {
                taken.buffers.append(part)
                taken.count += part.readableBytes
            }
        }
        (offset, buffers, count, firstAppend) = (offset + Int64(wanted), [], 0, nil)
        return taken
    }
}
