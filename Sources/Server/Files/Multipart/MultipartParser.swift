package import FeedCore
package import NIOCore

/// Reads `multipart/form-data` (RFC 7578) piece by piece, whatever size the pieces have. Pure: bytes go in, events come
/// out; memory is bounded by the header limit plus one piece.
///
/// ```swift
/// var parser = MultipartParser(boundary: boundary, style: .strict)
/// for try await piece in body {
///     for event in try parser.feed(piece) { … }
/// }
/// try parser.finish(lengthUsedUp: true)
/// ```
package struct MultipartParser {
    package enum Event: Equatable {
        case begin(MultipartHead)
        case data(ByteBuffer)
        case end
    }

    /// How much a body may deviate.
    package enum Style: Sendable {
        /// CR LF everywhere.
        case strict
        /// What the tutorial clients of 2014 send: the line end after the first boundary decides for the whole body,
        /// and the last boundary may lack its dashes when the declared length is used up exactly.
        case classic
    }

    /// Bounds that keep a hostile body cheap.
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
    /// Bytes at the front of `buffer` that belong to the header block, not to the part.
    private var skipped = 0
    /// Bytes of an unfinished header block that hold no end.
    private var searched = 0

    package init(boundary: String, style: Style) {
        self.style = style
        delimiter = MultipartDelimiter(boundary: boundary)
    }

    /// - Throws: ``FeedError`` `.malformed` or `.tooLarge`.
    package mutating func feed(_ piece: ByteBuffer) throws(FeedError) -> [Event] {
        if buffer.readableBytes == 0 {
            buffer = piece
        } else {
            // A few bytes always stay; without this the buffer would grow with the upload.
            buffer.discardReadBytes()
            buffer.writeImmutableBuffer(piece)
        }
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// Call when the body has ended.
    /// - Parameter lengthUsedUp: Whether a Content-Length was declared and exactly that many bytes came.
    package func finish(lengthUsedUp: Bool) throws(FeedError) {
        switch state {
        case .epilogue: return
        case .headers where style == .classic && lengthUsedUp && parts > 1 && buffer.readableBytes == 0: return
        default: throw Self.malformed("The upload ends before its last boundary")
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
        .malformed(message, hint: "Send multipart/form-data as RFC 7578 describes it.")
    }
}

extension MultipartParser {
    /// Lines before the first boundary are passed over.
    private mutating func skipPreamble() throws(FeedError) -> Bool {
        while true {
            if buffer.readableBytesView.starts(with: delimiter.boundary) {
                switch delimiter.ending(of: rest(after: delimiter.boundary.count), anyLineEnd: style == .classic) {
                case .needMore: return false
                case .close: throw Self.malformed("The upload has no part")
                case .nextPart(let length):
                    try begin(after: delimiter.boundary.count + length)
                    return true
                case .content: break
                }
            }
            guard try skipLine() else { return false }
        }
    }

    /// - Returns: Whether there was a whole line; what is none yet may become the boundary.
    private mutating func skipLine() throws(FeedError) -> Bool {
        let line = buffer.readableBytesView
        let end = line.firstIndex(of: 10)
        let length = end.map { $0 - line.startIndex + 1 } ?? 0
        guard preambleBytes + length <= Bound.preamble, end != nil || line.count <= Bound.preamble else {
            throw Self.malformed("The upload does not start with its boundary")
        }
        preambleBytes += length
        buffer.moveReaderIndex(forwardBy: length)
        return end != nil
    }

    /// - Parameter end: Where the line of the first boundary ends.
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
                .tooLarge, "The upload has more than \(Bound.parts) parts", hint: "Send fewer parts at once.")
        }
        state = .headers
    }

    private mutating func readHeaders(_ events: inout [Event]) throws(FeedError) -> Bool {
        let view = buffer.readableBytesView
        // An empty header block: the line end of the boundary is already gone.
        if view.starts(with: delimiter.lineEnd) { throw Self.malformed("A part has no Content-Disposition") }
        let gap = delimiter.lineEnd + delimiter.lineEnd
        guard let end = view.offset(of: gap, from: searched) else {
            searched = max(0, view.count - gap.count + 1)
            if view.count >= Bound.headers + gap.count { throw Self.longHeaders }
            return false
        }
        searched = 0
        guard end <= Bound.headers else { throw Self.longHeaders }
        let block = Array(view.prefix(end))
        events.append(.begin(try MultipartHead(block: block, lineEnd: delimiter.lineEnd)))
        // One line end stays, so that the delimiter is found also when the part is empty.
        buffer.moveReaderIndex(forwardBy: end + delimiter.lineEnd.count)
        skipped = delimiter.lineEnd.count
        state = .body
        return true
    }

    private mutating func readBody(_ events: inout [Event]) throws(FeedError) -> Bool {
        var searchStart = 0
        while true {
            let view = buffer.readableBytesView
            guard let found = view.offset(of: delimiter.bytes, from: searchStart) else {
                emit(max(0, view.count - delimiter.bytes.count + 1), &events)
                return false
            }
            switch delimiter.ending(of: rest(after: found + delimiter.bytes.count)) {
            case .needMore:
                emit(found, &events)
                return false
            case .content: searchStart = found + 1
            case .nextPart(let length):
                finishPart(at: found, dropping: delimiter.bytes.count + length, &events)
                try startPart()
                return true
            case .close(let length):
                finishPart(at: found, dropping: delimiter.bytes.count + length, &events)
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

    /// Hands on `count` bytes, less the line end that was left standing after the headers.
    private mutating func emit(_ count: Int, _ events: inout [Event]) {
        let drop = min(skipped, count)
        skipped -= drop
        buffer.moveReaderIndex(forwardBy: drop)
        if count > drop, let data = buffer.readSlice(length: count - drop) { events.append(.data(data)) }
    }
}
