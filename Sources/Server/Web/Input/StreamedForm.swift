import FeedCore
import FeedFiles
import HTTPTypes
import NIOCore

/// A form whose files are streamed to temporary files, while its other fields are kept in memory.
struct StreamedForm: Sendable {
    /// A file that is complete, but not published.
    struct File: Sendable {
        let sealed: SealedBlob
        let writer: any BlobWriting

        var path: String { writer.path }
    }

    private(set) var values: InputValues
    /// The files by the names of their fields.
    private(set) var files: [String: File] = [:]

    /// Receives a body of any type that forms and JSON may have. Files are possible only in `multipart/form-data`.
    /// - Parameters:
    ///   - names: The fields that may contain a file. Files of other fields are skipped.
    ///   - maximum: The maximum size of a file in bytes.
    /// - Throws: ``FeedError`` `.malformed`, `.tooLarge`, `.quota`, `.unsupported`, `.invalid` for U+0000.
    static func receive(
        _ request: Request, _ context: FeedContext, services: FileServices, owner: Int64, files names: Set<String>,
        maximum: Int64
    ) async throws -> StreamedForm {
        let limit = services.limits.longFormBytes
        guard request.headers[.contentType]?.lowercased().hasPrefix("multipart/form-data") == true else {
            return StreamedForm(values: try await request.input(upTo: limit, context: context))
        }
        let boundary = try MultipartBoundary.parse(request.headers[.contentType])
        let admission = try await UploadAdmission(
            services: services, owner: owner, maximum: maximum,
            overhead: Int64(limit) + maximum * Int64(names.count - 1))
        _ = try admission.checkBeforeReading(request)
        context.readBody()
        var sink = Sink(blobs: services.blobs, admission: admission, names: names, maximumFieldBytes: limit)
        do {
            try await sink.take(request, boundary: boundary)
            var values = try request.query
            values.merge(sink.values)
            return StreamedForm(values: try values.withoutNUL(), files: sink.files)
        } catch {
            await sink.discard()
            throw error
        }
    }

    /// Removes the temporary files.
    func discard() async { for file in files.values { await file.writer.discard() } }

    /// Consumes the parts of a form, one after another.
    private struct Sink {
        let blobs: any BlobStoring
        let admission: UploadAdmission
        let names: Set<String>
        /// The maximum size of all fields together in bytes.
        let maximumFieldBytes: Int
        var values = InputValues()
        var files: [String: File] = [:]
        private var head: MultipartHead?
        private var text: [UInt8] = []
        private var writer: (any BlobWriting)?
        private var fieldBytes = 0

        init(blobs: any BlobStoring, admission: UploadAdmission, names: Set<String>, maximumFieldBytes: Int) {
            self.blobs = blobs
            self.admission = admission
            self.names = names
            self.maximumFieldBytes = maximumFieldBytes
        }

        mutating func take(_ request: Request, boundary: String) async throws {
            var parser = MultipartParser(boundary: boundary, style: .strict)
            for try await piece in request.body {
                for event in try parser.feed(piece) { try await take(event) }
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

        private mutating func begin(_ head: MultipartHead) async throws {
            self.head = head
            text = []
            guard head.fileName != nil, names.contains(head.name), files[head.name] == nil else { return }
            writer = try await blobs.begin(limit: admission.limit(), excess: admission.excess)
        }

        private mutating func write(_ data: ByteBuffer) async throws {
            if let writer { return try await writer.write(data) }
            fieldBytes += data.readableBytes
            guard fieldBytes <= maximumFieldBytes else {
                throw FeedError(.tooLarge, "The fields of the form are larger than \(maximumFieldBytes) bytes")
            }
            if head?.isFile == false { text.append(contentsOf: data.readableBytesView) }
        }

        private mutating func end() async throws {
            guard let head else { return }
            if let open = writer {
                let sealed = try await open.seal(beside: nil)
                files[head.name] = File(sealed: sealed, writer: open)
                writer = nil
            } else if !head.isFile {
                try values.append(head.name, try InputValues.validated(text))
            }
        }

        func discard() async {
            await writer?.discard()
            for file in files.values { await file.writer.discard() }
        }
    }
}
