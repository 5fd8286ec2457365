import FeedCore

/// Copies the frames of an MP3 file. Everything between and around them is removed: ID3, APE and other tags with names,
/// comments and pictures.
struct MP3Copier<Source: ByteSource, Sink: ByteSink> {
    private var stream: MediaStream<Source, Sink>
    private var first: MP3Frame?
    private var frames = 0
    private var samples: Int64 = 0
    /// Whether the previous frame has just ended. Elsewhere, a header is only believed if another one follows.
    private var isInSync = false
    /// The number of bytes that are neither frames nor tags.
    private var unknown = 0

    static func copy(_ stream: inout MediaStream<Source, Sink>) throws(MediaFault) -> MediaInfo {
        var copier = MP3Copier(stream: stream)
        while copier.stream.remaining >= 4 { try copier.copyFrame() }
        stream = copier.stream
        guard let first = copier.first else { throw noSound }
        return MediaInfo(.mp3, milliseconds: copier.samples * 1000 / Int64(first.rate))
    }

    private init(stream: MediaStream<Source, Sink>) { self.stream = stream }

    private static var noSound: MediaFault {
        .unsupported("The file contains no MP3 sound", hint: "Convert it to an ordinary MP3 file.")
    }

    private mutating func copyFrame() throws(MediaFault) {
        guard let frame = try nextFrame() else { return try skip() }
        let bytes = try stream.pass(frame.length)
        let isInformation = frames == 0 && MP3Frame.isInformation(bytes)
        first = first ?? frame
        frames += 1
        samples += isInformation ? 0 : frame.samples
        isInSync = true
    }

    private mutating func nextFrame() throws(MediaFault) -> MP3Frame? {
        guard let frame = try MP3Frame(stream.peek(4)), isExpected(frame), stream.remaining >= frame.length else {
            return nil
        }
        if isInSync { return frame }
        // A file may consist of one frame.
        if frames == 0, stream.remaining == frame.length { return frame }
        guard stream.remaining >= frame.length + 4 else { return nil }
        let next = try MP3Frame(stream.peek(frame.length + 4).dropFirst(frame.length))
        return next?.key == frame.key ? frame : nil
    }

    private func isExpected(_ frame: MP3Frame) -> Bool { first.map { $0.key == frame.key } ?? true }

    /// Skips a tag, or a byte.
    private mutating func skip() throws(MediaFault) {
        isInSync = false
        let head = try stream.peek(Int(min(Int64(MP3Tag.headLength), stream.remaining)))
        if let length = MP3Tag.length(head) { return try stream.skip(min(length, stream.remaining)) }
        unknown += 1
        guard unknown <= MediaBounds.unknownBytes else { throw Self.noSound }
        try stream.skip(1)
    }
}
