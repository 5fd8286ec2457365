import NIOCore

/// Bytes on their way from a connection to the disk: many small reads make one write.
struct Batch: Sendable {
    static let size = 512 << 10
    /// A slow connection's bytes do not wait longer than that.
    static let delay = Duration.milliseconds(200)

    private(set) var offset: Int64
    /// Where the wanted bytes end; others may take over some of them, never give more.
    private(set) var end: Int64
    private(set) var buffers: [ByteBuffer] = []
    private(set) var count = 0
    private var began: ContinuousClock.Instant?

    init(_ wanted: Range<Int64>) { (offset, end) = (wanted.lowerBound, wanted.upperBound) }

    /// Bytes that are still wanted, those that wait here among them.
    var room: Int64 { end - offset }

    var isDue: Bool {
        count >= Self.size || Int64(count) >= room || began.map { ContinuousClock.now - $0 >= Self.delay } ?? false
    }

    /// Only so many bytes are still wanted.
    mutating func narrow(to rest: Int64) {
        if rest < room { end = offset + rest }
    }

    mutating func append(_ buffer: ByteBuffer) {
        guard buffer.readableBytes > 0 else { return }
        if began == nil { began = .now }
        buffers.append(buffer)
        count += buffer.readableBytes
    }

    /// Takes the first `wanted` bytes out; what follows them is dropped.
    mutating func take(_ wanted: Int) -> Batch {
        var taken = self
        while taken.count > wanted, var last = taken.buffers.popLast() {
            taken.count -= last.readableBytes
            if taken.count < wanted, let part = last.readSlice(length: wanted - taken.count) { taken.append(part) }
        }
        self = Batch(offset + Int64(wanted)..<end)
        return taken
    }
}

/// Leaves out the start of a body.
struct Skipping {
    var rest: Int64

    mutating func callAsFunction(_ buffer: inout ByteBuffer) {
        let count = Int(min(rest, Int64(buffer.readableBytes)))
        buffer.moveReaderIndex(forwardBy: count)
        rest -= Int64(count)
    }
}
