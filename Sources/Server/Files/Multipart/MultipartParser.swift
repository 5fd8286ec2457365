package import FeedCore
package import NIOCore

/// An incremental parser for `multipart/form-data` (RFC 7578).
///
/// A pure state machine that accepts pieces of any size and returns events. Its memory is bounded by the header limit
/// plus one piece.
///
/// ```swift
/// var parser = MultipartParser(boundary: boundary, style: .strict)
/// for try await piece in body {
///     for event in try parser.feed(piece) { … }
/// }
/// try parser.finish(lengthUsedUp: true)
/// ```
package struct MultipartParser {
    /// A parsing event. A part consists of one `begin`, any number of `data` and one `end`.
    package enum Event: Equatable {
        case begin(MultipartHeader)
        case data(ByteBuffer)
        case end
    }

    /// The tolerance toward malformed bodies.
    package enum Style: Sendable {
        /// Requires CR LF line breaks.
        case strict
        /// Accepts the bodies sent by the 2014 tutorial clients: the line break after the first boundary applies to the
        /// whole body, and the final boundary may lack its dashes if the declared length is consumed exactly.
        case classic
    }

    /// Limits against hostile bodies; sizes are in bytes.
    private enum Bound {
        static let parts = 1000
        static let preamble = 16 * 1024
        static let headers = 16 * 1024
    }

    private enum State { case preamble, headers, body, epilogue }

    private let style: Style
    private var delimiter: MultipartDelimiter
    private var state = State.preamble
    private var buffer = ByteBuffer()
    private var parts = 0
    private var preambleBytes = 0
    /// The number of bytes at the front of `buffer` that belong to the header block.
    private var skipped = 0
    /// The number of bytes of an incomplete header block that have already been searched for its end.
    private var searched = 0

    package init(boundary: String, style: Style) {
        self.style = style
        delimiter = MultipartDelimiter(boundary: boundary)
    }

    /// Parses the next piece of the body.
    /// - Throws: ``FeedError`` `.malformed` or `.tooLarge`.
    package mutating func feed(_ piece: ByteBuffer) throws(FeedError) -> [Event] {
        if buffer.readableBytes == 0 {
            buffer = piece
        } else {
            // Some bytes always remain in the buffer; without this, it would grow with the upload.
            buffer.discardReadBytes()
            buffer.writeImmutableBuffer(piece)
        }
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// Checks that the body is complete; to be called at the end of the body.
    /// - Parameter lengthUsedUp: Whether exactly as many bytes were received as declared by Content-Length.
    /// - Throws: ``FeedError`` `.malformed` if the final boundary is missing.
    package func finish(lengthUsedUp: Bool) throws(FeedError) {
        switch state {
        case .epilogue: return
        case .headers where style == .classic && lengthUsedUp && parts > 1 && buffer.readableBytes == 0: return
        default: throw Self.malformed("The body ends before the final boundary")
        }
    }

    private mutating func step(_ events: inout [Event]) throws(FeedError) -> Bool {
        switch state {
        case .preamble: return try skipPreamble()
        case .headers: return try readHeaders(&events)
        case .body: return try readBody(&events)
        case .epilogue:
            buffer.clear()
            return false
        }
    }

    private static let longHeaders = malformed("The headers of a part are longer than \(Bound.headers) bytes")

    static func malformed(_ message: String) -> FeedError {
        .malformed(message, hint: "Send multipart/form-data as specified by RFC 7578.")
    }
}

extension MultipartParser {
    /// Skips the lines before the first boundary.
    private mutating func skipPreamble() throws(FeedError) -> Bool {
        while true {
            if buffer.readableBytesView.starts(with: delimiter.boundary) {
                switch delimiter.ending(of: rest(after: delimiter.boundary.count), anyLineEnd: style == .classic) {
                case .needMore: return false
                case .close: throw Self.malformed("The body has no parts")
                case .nextPart(let length):
                    try begin(after: delimiter.boundary.count + length)
                    return true
                case .content: break
                }
            }
            guard try skipLine() else { return false }
        }
    }

    /// Skips a line if it is complete; an incomplete one may turn out to be the boundary.
    /// - Returns: Whether a line was skipped.
    private mutating func skipLine() throws(FeedError) -> Bool {
        let line = buffer.readableBytesView
        let end = line.firstIndex(of: 10)
        let length = end.map { $0 - line.startIndex + 1 } ?? 0
        guard preambleBytes + length <= Bound.preamble, end != nil || line.count <= Bound.preamble else {
            throw Self.malformed("The body does not start with the boundary")
        }
        preambleBytes += length
        buffer.moveReaderIndex(forwardBy: length)
        return end != nil
    }

    /// Starts the first part.
    /// - Parameter end: The offset of the end of the first boundary line.
    private mutating func begin(after end: Int) throws(FeedError) {
        if style == .classic {
            let isPair = end >= 2 && buffer.getInteger(at: buffer.readerIndex + end - 2, as: UInt8.self) == 13
            delimiter.lineEnd = isPair ? [13, 10] : [10]
        }
        buffer.moveReaderIndex(forwardBy: end)
        try startPart()
    }

    private func rest(after offset: Int) -> ByteBufferView { buffer.readableBytesView.dropFirst(offset) }

    private mutating func startPart() throws(FeedError) {
        parts += 1
        guard parts <= Bound.parts else {
            throw FeedError(
                .tooLarge, "The body has more than \(Bound.parts) parts", hint: "Send fewer parts per request.")
        }
        state = .headers
    }

    private mutating func readHeaders(_ events: inout [Event]) throws(FeedError) -> Bool {
        let view = buffer.readableBytesView
        // An empty header block; the line break after the boundary has already been consumed.
        if view.starts(with: delimiter.lineEnd) { throw Self.malformed("A part has no Content-Disposition header") }
        let gap = delimiter.lineEnd + delimiter.lineEnd
        guard let end = view.offset(of: gap, from: searched) else {
            searched = max(0, view.count - gap.count + 1)
            if view.count >= Bound.headers + gap.count { throw Self.longHeaders }
            return false
        }
        searched = 0
        guard end <= Bound.headers else { throw Self.longHeaders }
        let block = Array(view.prefix(end))
        events.append(.begin(try MultipartHeader(block: block, lineEnd: delimiter.lineEnd)))
        // One line break remains in the buffer, so that the delimiter is also found if the part is empty.
        buffer.moveReaderIndex(forwardBy: end + delimiter.lineEnd.count)
        skipped = delimiter.lineEnd.count
        state = .body
        return true
    }

    private mutating func readBody(_ events: inout [Event]) throws(FeedError) -> Bool {
        var searchStart = 0
        while true {
            let view = buffer.readableBytesView
            guard let offset = view.offset(of: delimiter.bytes, from: searchStart) else {
                emit(max(0, view.count - delimiter.bytes.count + 1), &events)
                return false
            }
            switch delimiter.ending(of: rest(after: offset + delimiter.bytes.count)) {
            case .needMore:
                emit(offset, &events)
                return false
            case .content: searchStart = offset + 1
            case .nextPart(let length):
                finishPart(at: offset, dropping: delimiter.bytes.count + length, &events)
                try startPart()
                return true
            case .close(let length):
                finishPart(at: offset, dropping: delimiter.bytes.count + length, &events)
                state = .epilogue
                return true
            }
        }
    }

    private mutating func finishPart(at found: Int, dropping length: Int, _ events: inout [Event]) {
        emit(found, &events)
        skipped = 0
        buffer.moveReaderIndex(forwardBy: length)
        events.append(.end)
    }

    /// Emits `count` bytes, without the line break that remained after the headers.
    private mutating func emit(_ count: Int, _ events: inout [Event]) {
        let drop = min(skipped, count)
        skipped -= drop
        buffer.moveReaderIndex(forwardBy: drop)
        if count > drop, let data = buffer.readSlice(length: count - drop) { events.append(.data(data)) }
    }
}
