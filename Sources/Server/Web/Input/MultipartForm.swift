import FeedCore
import FeedFiles
import HTTPTypes
import NIOCore

/// A form whose files are streamed to temporary files, while its other fields are kept in memory.
struct MultipartForm: Sendable {
    /// A file that is complete, but not published.
    struct File: Sendable {
        let sealed: SealedBlob
        let writer: BlobWriter

        var path: String { writer.path }
    }

    private(set) var values: RequestParameters
    /// The files by the names of their fields, in the order in which they were sent.
    private var files: [String: [File]] = [:]
    /// The reason why a file is missing, if the rest of the form is kept nevertheless.
    private(set) var refusal: FeedError?

    /// Receives a body of any type that forms and JSON may have. Files are possible only in `multipart/form-data`.
    /// - Parameters:
    ///   - names: The fields that may contain a file. Files of other fields are skipped.
    ///   - maximum: The maximum size of a file in bytes.
    ///   - count: The maximum number of files per field. More are skipped.
    ///   - replaced: The size in bytes of the stored file that the form replaces.
    ///   - keepsRest: Whether a file that is too large, or one too many, only sets ``refusal``.
    /// - Throws: ``FeedError`` `.malformed`, `.tooLarge`, `.quota`, `.unsupported`, `.invalid` for U+0000.
    static func receive(
        _ request: Request, _ context: RequestContext, services: FileServices, owner: Int64, files names: Set<String>,
        maximum: Int64, count: Int = 1, replaced: Int64 = 0, keepsRest: Bool = false
    ) async throws -> MultipartForm {
        let limit = services.limits.longFormBytes
        guard isMultipart(request.headers[.contentType]?.lowercased() ?? "") else {
            return MultipartForm(try await request.input(upTo: limit, context: context))
        }
        let boundary = try MultipartBoundary.parse(request.headers[.contentType])
        let admission = try await UploadRule(
            services: services, owner: owner, replaced: replaced, maximum: maximum,
            overhead: Int64(limit) + maximum * Int64(names.count * count - 1))
        _ = try await admission.begin(request, context)
        var sink = Sink(blobs: services.blobs, admission: admission, names: names, count: count)
        sink.maximumFieldBytes = limit
        if keepsRest { sink.maximumRefusedBytes = maximum * Int64(names.count * count) }
        do {
            try await sink.take(request, boundary: boundary)
            var values = try request.query
            values.merge(sink.values)
            return MultipartForm(values: try values.withoutNUL(), files: sink.files, refusal: sink.refusal)
        } catch {
            await sink.discard()
            throw error
        }
    }

    /// Also a file that is the whole body counts, and is refused as what it is.
    private static func isMultipart(_ type: String) -> Bool {
        ["multipart/", "image/", "video/", "audio/", "application/octet-stream"].contains { type.hasPrefix($0) }
    }

    /// The first file of a field.
    subscript(file name: String) -> File? { files[name]?.first }

    /// The files of all fields; those of a field are in the order in which they were sent.
    var allFiles: [File] { files.values.flatMap(\.self) }

    /// Removes the temporary files.
    func discard() async { for file in allFiles { await file.writer.discard() } }

    /// Consumes the parts of a form, one after another.
    private struct Sink {
        let blobs: BlobStore
        let admission: UploadRule
        let names: Set<String>
        /// The maximum number of files per field.
        let count: Int
        /// The maximum size of all fields together in bytes.
        var maximumFieldBytes = 0
        /// The maximum size in bytes of refused files that are skipped; with 0, a refused file ends the form.
        var maximumRefusedBytes: Int64 = 0
        private(set) var values = RequestParameters()
        private(set) var files: [String: [File]] = [:]
        private(set) var refusal: FeedError?
        private var isSkipping = false
        private var head: MultipartHeader?
        private var text: [UInt8] = []
        private var writer: BlobWriter?
        private var fieldBytes = 0

        init(blobs: BlobStore, admission: UploadRule, names: Set<String>, count: Int) {
            (self.blobs, self.admission, self.names, self.count) = (blobs, admission, names, count)
        }

        mutating func take(_ request: Request, boundary: String) async throws {
            var parser = MultipartParser(boundary: boundary, style: .strict)
            try await request.readForm { piece in
                do {
                    for event in try parser.feed(piece) { try await take(event) }
                } catch {
                    // The space is free before the rest of the form is read.
                    await discard()
                    throw error
                }
            }
            try parser.finish(lengthUsedUp: true)
        }

        private mutating func take(_ event: MultipartParser.Event) async throws {
            switch event {
            case .begin(let head): try await begin(head)
            case .data(let data): try await write(data)
            case .end: try await end()
            }
        }

        private mutating func begin(_ head: MultipartHeader) async throws {
            (self.head, text, isSkipping) = (head, [], false)
            guard head.fileName != nil, names.contains(head.name) else { return }
            guard files[head.name]?.count ?? 0 < count else { return refuseMore() }
            writer = try await blobs.begin(limit: admission.limit(), excess: admission.excess)
        }

        private mutating func refuseMore() {
            guard maximumRefusedBytes > 0 else { return }
            isSkipping = true
            refusal = .invalid("Cannot attach more than \(count) files")
        }

        private mutating func write(_ data: ByteBuffer) async throws {
            if let writer { return try await write(data, to: writer) }
            if isSkipping { return try skip(data) }
            fieldBytes += data.readableBytes
            guard fieldBytes <= maximumFieldBytes else {
                throw FeedError(.tooLarge, "The fields of the form are larger than \(maximumFieldBytes) bytes")
            }
            if head?.isFile == false { text.append(contentsOf: data.readableBytesView) }
        }

        private mutating func write(_ data: ByteBuffer, to file: BlobWriter) async throws {
            do {
                try await file.write(data)
            } catch let error as FeedError where error.kind == .tooLarge || error.kind == .quota {
                refusal = error
                await file.discard()
                (writer, isSkipping) = (nil, true)
                try skip(data)
            }
        }

        private mutating func skip(_ data: ByteBuffer) throws {
            maximumRefusedBytes -= Int64(data.readableBytes)
            if let refusal, maximumRefusedBytes < 0 { throw refusal }
        }

        private mutating func end() async throws {
            guard let head else { return }
            if let open = writer {
                let sealed = try await open.seal(beside: nil)
                files[head.name, default: []].append(File(sealed: sealed, writer: open))
                writer = nil
            } else if !head.isFile {
                try values.append(head.name, try RequestParameters.validated(text))
            }
        }

        func discard() async {
            await writer?.discard()
            for file in files.values.flatMap(\.self) { await file.writer.discard() }
        }
    }
}

extension MultipartForm {
    /// A form without files.
    init(_ values: RequestParameters) { self.init(values: values, files: [:], refusal: nil) }
}
