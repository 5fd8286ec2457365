import FeedCore

/// Copies a WebM file. What may reveal something is blanked in place, so that all offsets in the file stay correct.
struct WebMCopier<Source: ByteSource, Sink: ByteSink> {
    private struct Open {
        var id: UInt32
        var end: Int64
        var isUnknown: Bool
    }

    private var stream: MediaStream<Source, Sink>
    private let total: Int64
    private var info = WebMInfo()
    private var open: [Open] = []
    private var elements = 0
    private var segments = 0
    private var hasTracks = false

    static func copy(_ stream: inout MediaStream<Source, Sink>) throws(MediaError) -> MediaInfo {
        var copier = WebMCopier(stream: stream)
        try copier.run()
        stream = copier.stream
        let info = copier.info
        return MediaInfo(
            info.hasPictures ? .webm : .weba, width: info.width, height: info.height, milliseconds: info.milliseconds)
    }

    private init(stream: MediaStream<Source, Sink>) {
        self.stream = stream
        total = stream.remaining
    }

    private var position: Int64 { total - stream.remaining }

    private mutating func run() throws(MediaError) {
        while true {
            while let last = open.last, last.end == position { open.removeLast() }
            // What follows the segment is dropped.
            if position == total || (segments == 1 && open.isEmpty) { break }
            try copyElement()
        }
        guard info.documentType == "webm", hasTracks else { throw .damaged("it contains no tracks") }
    }

    private mutating func copyElement() throws(MediaError) {
        elements += 1
        guard elements <= MediaFormatLimits.elements else {
            throw .tooLarge("The video has too many parts", hint: "Convert the video to an ordinary WebM file.")
        }
        let bytes = try stream.peek(Int(min(Int64(EBMLHead.maximumLength), stream.remaining)))
        guard let head = EBMLHead(bytes) else { throw .damaged("an element of the WebM file is invalid") }
        while open.last?.isUnknown == true, ends(open.last?.id, at: head.id) { open.removeLast() }
        let end = open.last?.end ?? total
        let start = position + Int64(head.length)
        guard start <= end, (head.size ?? 0) <= end - start else {
            throw end == total ? .incomplete : .damaged("an element of the WebM file is too long")
        }
        try place(head, end: head.size.map { start + $0 } ?? end)
    }

    /// Whether an element of unknown size ends where another element starts.
    private func ends(_ container: UInt32?, at id: UInt32) -> Bool {
        container != WebMElement.segment && WebMElement.topLevel.contains(id)
    }

    private mutating func place(_ head: EBMLHead, end: Int64) throws(MediaError) {
        let parent = open.last?.id ?? 0
        if WebMElement.containers[parent]?.contains(head.id) == true {
            try enter(head, end: end)
            return
        }
        // Only containers may have an unknown size.
        guard let size = head.size else { throw .damaged("an element of the WebM file has no size") }
        if WebMElement.leaves[parent]?.contains(head.id) == true {
            try copy(head, size)
        } else if parent == WebMElement.info, WebMElement.emptied.contains(head.id) {
            try stream.pass(head.length)
            try stream.blank(size)
        } else {
            try stream.skip(Int64(head.length) + size)
            let void = EBMLHead.void(Int64(head.length) + size)
            try stream.write(void.head)
            try stream.writeZeros(void.zeros)
        }
    }

    private mutating func enter(_ head: EBMLHead, end: Int64) throws(MediaError) {
        let mayBeUnknown = head.id == WebMElement.segment || head.id == WebMElement.cluster
        guard head.size != nil || mayBeUnknown else { throw .damaged("an element of the WebM file has no size") }
        if head.id == WebMElement.segment { segments += 1 }
        if head.id == WebMElement.tracks { hasTracks = true }
        try stream.pass(head.length)
        open.append(Open(id: head.id, end: end, isUnknown: head.size == nil))
    }

    private mutating func copy(_ head: EBMLHead, _ size: Int64) throws(MediaError) {
        try stream.pass(head.length)
        let length = min(size, WebMInfo.maximumSize)
        info.read(head.id, try stream.peek(Int(length)), isWhole: length == size)
        guard head.id == WebMElement.codecPrivate else { return try stream.copy(size) }
        try copySetup(size)
    }

    /// Copies the headers of a decoder. Those of Vorbis contain comments.
    private mutating func copySetup(_ size: Int64) throws(MediaError) {
        let start = try stream.peek(Int(min(size, Int64(MediaFormatLimits.memory))))
        guard let comments = try VorbisHeaders.comments(in: start, size: size) else { return try stream.copy(size) }
        try stream.copy(comments.lowerBound)
        try stream.write(VorbisHeaders.emptyComments)
        try stream.skip(comments.upperBound - comments.lowerBound)
        try stream.writeZeros(comments.upperBound - comments.lowerBound - Int64(VorbisHeaders.emptyComments.count))
        try stream.copy(size - comments.upperBound)
    }
}

/// The three headers of a Vorbis decoder, as WebM stores them (RFC 9559, A_VORBIS): the number of headers less one, the
/// lengths of all but the last one in the form of Xiph, and the headers.
private enum VorbisHeaders {
    /// A comment header without a vendor and without comments (Vorbis I, 5.2.1), which zeros may follow.
    static let emptyComments: [UInt8] = [3] + Array("vorbis".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 1]

    /// Finds the comment header.
    /// - Parameters:
    ///   - bytes: At least the beginning of all headers, with the mark of the comment header.
    ///   - size: The size of all headers in bytes.
    /// - Returns: The position of the header; `nil` if these are not headers of Vorbis.
    static func comments(in bytes: ArraySlice<UInt8>, size: Int64) throws(MediaError) -> Range<Int64>? {
        var rest = bytes.dropFirst()
        guard bytes.first == 2, let first = length(&rest), let second = length(&rest),
            rest.starts(with: "\u{1}vorbis".utf8)
        else { return nil }
        let start = Int64(rest.startIndex - bytes.startIndex + first)
        let isValid = rest.dropFirst(first).starts(with: emptyComments.prefix(7))
        guard isValid, second >= emptyComments.count, start + Int64(second) <= size else {
            throw .damaged("its comments are invalid")
        }
        return start..<start + Int64(second)
    }

    /// Reads a length: bytes of 255, and a smaller one.
    private static func length(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var length = 0
        while let byte = rest.popFirst() {
            length += Int(byte)
            if byte < 255 { return length }
        }
        return nil
    }
}
