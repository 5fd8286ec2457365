/// The properties of a WebM file, from its elements.
struct WebMInfo {
    private(set) var documentType: String?
    private(set) var width: Int?
    private(set) var height: Int?
    /// The unit of ``duration`` in nanoseconds.
    private var scale: UInt64 = 1_000_000
    private var duration = 0.0
    /// Whether there is a track with pictures.
    private(set) var hasPictures = false
    /// The times at which a cluster and the last block start, in the same unit.
    private var clusterTime: Int64 = 0
    private var lastTime: Int64 = 0
    /// The number of bytes that are read of an element.
    static let maximumSize: Int64 = 16

    /// Milliseconds; `nil` if unknown. What has been recorded live does not state it; it ends after its last block.
    var milliseconds: Int64? {
        let value = (duration > 0 ? duration : Double(lastTime)) * Double(scale) / 1_000_000
        // The largest durations that are exact; NaN is excluded as well.
        return value >= 1 && value < 9e15 ? Int64(value) : nil
    }

    /// - Parameters:
    ///   - body: The content, or its first ``maximumSize`` bytes.
    ///   - isWhole: Whether that is all.
    mutating func read(_ id: UInt32, _ body: ArraySlice<UInt8>, isWhole: Bool) {
        switch id {
        case WebMElement.simpleBlock, WebMElement.block: readBlock(body)
        case _ where !isWhole: break
        case WebMElement.trackType: hasPictures = hasPictures || body.prefix(8).bigEndian == 1
        case WebMElement.timestamp:
            // Later times are clamped, so that the sum with the time of a block does not overflow.
            clusterTime = Int64(clamping: min(body.prefix(8).bigEndian, 1 << 50))
        case WebMElement.documentType: documentType = String(decoding: body.prefix { $0 != 0 }, as: UTF8.self)
        case WebMElement.timestampScale: scale = body.prefix(8).bigEndian
        case WebMElement.duration: duration = Self.float(body)
        case WebMElement.pixelWidth where width == nil: width = Self.size(body)
        case WebMElement.pixelHeight where height == nil: height = Self.size(body)
        default: break
        }
    }

    /// A block starts with the number of its track, and its time relative to that of the cluster (RFC 9559, 10.1).
    private mutating func readBlock(_ body: ArraySlice<UInt8>) {
        guard let first = body.first, first > 0 else { return }
        let time = body.part(first.leadingZeroBitCount + 1, 2)
        guard time.count == 2 else { return }
        let offset = Int16(truncatingIfNeeded: time.bigEndian)
        lastTime = max(lastTime, clusterTime + Int64(offset))
    }

    private static func float(_ body: ArraySlice<UInt8>) -> Double {
        switch body.count {
        case 4: Double(Float(bitPattern: UInt32(truncatingIfNeeded: body.bigEndian)))
        case 8: Double(bitPattern: body.bigEndian)
        default: 0
        }
    }

    private static func size(_ body: ArraySlice<UInt8>) -> Int? {
        let value = body.prefix(8).bigEndian
        return (1...UInt64(MediaBounds.side)).contains(value) ? Int(value) : nil
    }
}
