import FeedCore

/// Copies an Ogg file with Vorbis or Opus sound. Comments are blanked, what follows the last page is removed, and the
/// checksum of each page is verified.
struct OggCopier<Source: ByteSource, Sink: ByteSink> {
    private var stream: MediaStream<Source, Sink>
    /// The current streams by serial number.
    private var streams: [Int: OggStream] = [:]
    private var count = 0
    private var isInContent = false
    /// Whether another file has been appended, so that the duration is not that of its parts.
    private var isChained = false

    static func copy(_ stream: inout MediaStream<Source, Sink>) throws(MediaError) -> MediaInfo {
        var copier = OggCopier(stream: stream)
        while try copier.hasPage() { try copier.copyPage() }
        stream = copier.stream
        guard copier.count > 0, copier.streams.values.allSatisfy(\.isReadable) else { throw .incomplete }
        let duration = copier.streams.values.compactMap(\.milliseconds).max()
        return MediaInfo(.ogg, milliseconds: copier.isChained ? nil : duration)
    }

    private init(stream: MediaStream<Source, Sink>) { self.stream = stream }

    private mutating func hasPage() throws(MediaError) -> Bool {
        guard stream.remaining > 0 else { return false }
        let head = try stream.peek(Int(min(Int64(OggPage.mark.count), stream.remaining)))
        if head.elementsEqual(OggPage.mark) { return true }
        guard streams.values.allSatisfy(\.hasEnded) else { throw .damaged("a page of the Ogg file is invalid") }
        return false
    }

    private mutating func copyPage() throws(MediaError) {
        let segments = try stream.peek(OggPage.headerLength).big(OggPage.headerLength - 1, 1)
        let length = try OggPage.length(stream.peek(OggPage.headerLength + segments))
        var page = OggPage(bytes: Array(try stream.read(length)))
        guard page.checksum == page.statedChecksum else { throw .damaged("a checksum of the Ogg file is wrong") }
        if page.isFirst { try startStream(page) }
        guard var current = streams[page.serial] else { throw .damaged("a page of the Ogg file is invalid") }
        if try current.read(&page) { page.updateChecksum() }
        streams[page.serial] = current
        isInContent = isInContent || !page.isFirst
        try stream.write(page.bytes)
    }

    private mutating func startStream(_ page: OggPage) throws(MediaError) {
        count += 1
        guard count <= MediaFormatLimits.streams else {
            throw .tooLarge("The Ogg file has too many streams", hint: "Convert it to an ordinary Ogg file.")
        }
        guard streams[page.serial]?.hasEnded ?? true else { throw .damaged("a page of the Ogg file is invalid") }
        isChained = isChained || isInContent
        streams[page.serial] = try OggStream(page.content)
    }
}

/// A logical stream of an Ogg file (RFC 3533). Its comments are blanked where they are, without changing their length,
/// so that the pages stay as they are.
private struct OggStream {
    /// The start of a comment packet, and what the rest becomes: no vendor and no comments, followed by zeros.
    private let mark: [UInt8]
    private let empty: [UInt8]
    /// Samples per second.
    private let rate: Int64
    /// The number of samples at the beginning that are not played.
    private let skipped: Int64
    private var lastSample: Int64 = 0
    /// The number of complete packets.
    private var packets = 0
    /// The number of bytes of the next packet in earlier pages.
    private var offset = 0
    private var isInPacket = false
    private(set) var hasEnded = false

    /// - Parameter packet: At least the beginning of the first packet.
    init(_ packet: ArraySlice<UInt8>) throws(MediaError) {
        if packet.starts(with: "\u{1}vorbis".utf8), packet.count >= 30 {
            mark = [3] + Array("vorbis".utf8)
            // The last bit is required (Vorbis I, 5.2.1).
            empty = [0, 0, 0, 0, 0, 0, 0, 0, 1]
            (rate, skipped) = (Int64(packet.little(12, 4)), 0)
        } else if packet.starts(with: "OpusHead".utf8), packet.count >= 19 {
            mark = Array("OpusTags".utf8)
            // What follows is padding if it starts with an even byte (RFC 7845, 5.2).
            empty = [0, 0, 0, 0, 0, 0, 0, 0]
            (rate, skipped) = (48_000, Int64(packet.little(10, 2)))
        } else {
            throw .unsupported(
                "The Ogg file contains something else than Vorbis or Opus", hint: "Convert it to Ogg Vorbis or Opus.")
        }
        guard rate > 0 else { throw .damaged("its header is invalid") }
    }

    /// Whether all headers that may contain comments have been read.
    var isReadable: Bool { packets > 1 }

    /// Milliseconds; `nil` if unknown.
    var milliseconds: Int64? {
        let samples = lastSample - skipped
        // More than a century, and far from the largest integer.
        guard samples > 0, samples < 1 << 50 else { return nil }
        return samples * 1000 / rate
    }

    /// Reads a page and blanks the comments in its content.
    /// - Returns: Whether something may have been changed.
    mutating func read(_ page: inout OggPage) throws(MediaError) -> Bool {
        guard !hasEnded, page.isContinued == isInPacket else { throw .damaged("a page of the Ogg file is missing") }
        let before = packets
        for segment in page.segments {
            if packets == 1 { try blank(&page, segment) }
            offset += segment.count
            isInPacket = segment.count == OggPage.fullSegment
            if !isInPacket { try endPacket() }
        }
        lastSample = max(lastSample, page.granule)
        hasEnded = page.isLast
        return before <= 1
    }

    private mutating func endPacket() throws(MediaError) {
        guard packets != 1 || offset >= mark.count + empty.count else { throw .damaged("its comments are invalid") }
        packets += 1
        offset = 0
    }

    private func blank(_ page: inout OggPage, _ segment: Range<Int>) throws(MediaError) {
        for index in segment {
            let position = offset + index - segment.lowerBound
            if position < mark.count {
                guard page.bytes[index] == mark[position] else { throw .damaged("its comments are invalid") }
            } else {
                let rest = position - mark.count
                page.bytes[index] = rest < empty.count ? empty[rest] : 0
            }
        }
    }
}

/// A page of an Ogg file (RFC 3533, 6).
private struct OggPage {
    static let mark = Array("OggS".utf8)
    /// The length of the header without the lengths of the segments, in bytes.
    static let headerLength = 27
    /// The length in bytes of a segment after which the packet continues.
    static let fullSegment = 255

    /// The header and the content. Their length is that of a page, which starts at index 0.
    var bytes: [UInt8]

    var isContinued: Bool { bytes[5] & 1 != 0 }
    var isFirst: Bool { bytes[5] & 2 != 0 }
    var isLast: Bool { bytes[5] & 4 != 0 }
    var serial: Int { bytes.little(14, 4) }
    private var segmentCount: Int { Int(bytes[26]) }

    /// The number of samples up to the end of this page; 0 if it is unknown.
    var granule: Int64 { max(0, Int64(bitPattern: bytes.part(6, 8).littleEndian)) }

    var content: ArraySlice<UInt8> { bytes.dropFirst(Self.headerLength + segmentCount) }

    /// The positions of the segments.
    var segments: [Range<Int>] {
        var end = Self.headerLength + segmentCount
        return bytes.part(Self.headerLength, segmentCount).map { length in
            defer { end += Int(length) }
            return end..<(end + Int(length))
        }
    }

    /// The length in bytes of the page that has the given header.
    /// - Parameter header: All of it, with the lengths of the segments.
    static func length(_ header: ArraySlice<UInt8>) -> Int {
        header.count + header.dropFirst(headerLength).reduce(0) { $0 + Int($1) }
    }

    /// The stated checksum.
    var statedChecksum: UInt32 { UInt32(truncatingIfNeeded: bytes.part(22, 4).littleEndian) }

    /// The checksum of the content (RFC 3533, 6, field 7): that of Ethernet, but not reflected.
    var checksum: UInt32 {
        bytes.withUnsafeBufferPointer { bytes in
            var sum: UInt32 = 0
            for index in bytes.indices {
                let byte = (22..<26).contains(index) ? 0 : bytes[index]
                sum = sum << 8 ^ Self.table[Int(sum >> 24) ^ Int(byte)]
            }
            return sum
        }
    }

    mutating func updateChecksum() { bytes.replaceSubrange(22..<26, with: checksum.littleEndianBytes) }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum << 1 ^ (sum & 0x8000_0000 == 0 ? 0 : 0x04C1_1DB7) }
    }
}
