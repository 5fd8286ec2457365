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

    static func copy(_ stream: inout MediaStream<Source, Sink>) throws(MediaFault) -> MediaInfo {
        var copier = OggCopier(stream: stream)
        while try copier.hasPage() { try copier.copyPage() }
        stream = copier.stream
        guard copier.count > 0, copier.streams.values.allSatisfy(\.isReadable) else { throw .incomplete }
        let duration = copier.streams.values.compactMap(\.milliseconds).max()
        return MediaInfo(.ogg, milliseconds: copier.isChained ? nil : duration)
    }

    private init(stream: MediaStream<Source, Sink>) { self.stream = stream }

    private mutating func hasPage() throws(MediaFault) -> Bool {
        guard stream.remaining > 0 else { return false }
        let head = try stream.peek(Int(min(Int64(OggPage.mark.count), stream.remaining)))
        if head.elementsEqual(OggPage.mark) { return true }
        guard streams.values.allSatisfy(\.hasEnded) else { throw .damaged("a page of the Ogg file is invalid") }
        return false
    }

    private mutating func copyPage() throws(MediaFault) {
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

    private mutating func startStream(_ page: OggPage) throws(MediaFault) {
        count += 1
        guard count <= MediaBounds.streams else {
            throw .tooLarge("The Ogg file has too many streams", hint: "Convert it to an ordinary Ogg file.")
        }
        guard streams[page.serial]?.hasEnded ?? true else { throw .damaged("a page of the Ogg file is invalid") }
        isChained = isChained || isInContent
        streams[page.serial] = try OggStream(page.content)
    }
}
