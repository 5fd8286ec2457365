import FeedCore
import FeedFiles
import NIOCore

extension InputValues {
    /// The part being read.
    private struct Part {
        let head: MultipartHead
        var bytes: [UInt8] = []
    }

    /// Reads the fields of `multipart/form-data`, and the names of its file parts.
    /// - Throws: ``FeedError`` `.malformed`, `.tooLarge`.
    init(multipart body: ByteBuffer, contentType: String?, upTo maximumCount: Int) throws(FeedError) {
        self.init(upTo: maximumCount)
        var parser = MultipartParser(boundary: try MultipartBoundary.parse(contentType), style: .strict)
        var part: Part?
        for event in try parser.feed(body) { try take(event, &part) }
        try parser.finish(lengthUsedUp: true)
    }

    private mutating func take(_ event: MultipartParser.Event, _ part: inout Part?) throws(FeedError) {
        switch event {
        case .begin(let head): part = Part(head: head)
        case .data(let data):
            guard let head = part?.head else { return }
            if head.isFile { note(file: head.name) } else { part?.bytes.append(contentsOf: data.readableBytesView) }
        case .end:
            if let part, !part.head.isFile { try append(part.head.name, try Self.validated(part.bytes)) }
            part = nil
        }
    }
}
