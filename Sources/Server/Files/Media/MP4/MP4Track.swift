/// What decides whether a track of an MP4 file is copied.
struct MP4Track {
    enum Fate {
        case kept
        /// Data for programs, such as the movement of a phone. The track is blanked.
        case blanked
        /// Data with positions, which would remain among the samples.
        case refused
    }

    private static let containers: Set<String> = ["mdia", "minf", "stbl"]
    /// Formats of samples, and a part of the keys of Apple's, which contain positions.
    private static let positions = ["gpmd", "camm", "djmd", "rtmd", "location"]

    private var handler = ""
    private var samples = ""

    /// Reads ahead, up to the end of the track.
    /// - Parameter length: The length in bytes of the content of the track.
    init(_ reader: MediaReader<some ByteSource>, length: Int64) throws(MediaFault) {
        var (reader, left) = (reader, length)
        while left >= 8 {
            let head = try reader.read(8)
            left -= 8
            let type = head.text(4, 4)
            if Self.containers.contains(type) { continue }
            // Boxes of 4 GiB do not occur here.
            let content = Int64(head.big(0, 4)) - 8
            guard content >= 0, content <= left else { throw .damaged("a track of the MP4 file is invalid") }
            let start = try reader.peek(Int(min(content, Int64(MediaBounds.memory))))
            if type == "hdlr", handler.isEmpty { handler = start.text(8, 4) }
            if type == "stsd", samples.isEmpty { samples = String(decoding: start, as: UTF8.self) }
            try reader.skip(content)
            left -= content
        }
    }

    var fate: Fate {
        if MP4Box.handlers.contains(handler) { return .kept }
        return Self.positions.contains { samples.contains($0) } ? .refused : .blanked
    }
}
