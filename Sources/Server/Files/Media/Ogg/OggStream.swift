/// A logical stream of an Ogg file (RFC 3533). Its comments are blanked where they are, without changing their length,
/// so that the pages stay as they are.
struct OggStream {
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
    init(_ packet: ArraySlice<UInt8>) throws(MediaFault) {
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
    mutating func read(_ page: inout OggPage) throws(MediaFault) -> Bool {
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

    private mutating func endPacket() throws(MediaFault) {
        guard packets != 1 || offset >= mark.count + empty.count else { throw .damaged("its comments are invalid") }
        packets += 1
        offset = 0
    }

    private func blank(_ page: inout OggPage, _ segment: Range<Int>) throws(MediaFault) {
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
