import FeedCore
import FeedFiles
import FeedStore
import Foundation
import HTTPTypes
import NIOCore

/// A multipart upload: streams the file parts into the blob store, then stores their names. Either all files are
/// stored or none.
struct FileUpload {
    let services: FileServices
    let owner: Account?
    let style: MultipartParser.Style

    private struct Received {
        var name: String
        var sealed: SealedBlob
        /// Holds the bytes until the whole form is validated.
        var writer: BlobWriter
    }

    /// - Parameters:
    ///   - name: Replaces the name of the first file part.
    ///   - maximumFiles: The number of file parts accepted.
    /// - Throws: ``FeedError`` `.malformed` without a file part, `.tooLarge`, `.quota`, `.unsupported`.
    func run(
        _ request: Request, _ context: RequestContext, name: String? = nil, maximumFiles: Int = 1000
    ) async throws -> [StoredFile] {
        let boundary = try MultipartBoundary.parse(request.headers[.contentType])
        let admission = try await UploadRule(services: services, owner: owner?.id)
        let length = try await admission.begin(request, context)
        let received = try await receive(
            request, boundary: boundary, length: length, admission, maximumFiles: maximumFiles)
        guard !received.isEmpty else {
            throw FeedError.malformed("The upload contains no file", hint: "Send at least one file part.")
        }
        do {
            return try await store(received, name: name)
        } catch {
            await Self.discard(received)
            throw error
        }
    }

    private func receive(
        _ request: Request, boundary: String, length: Int64?, _ admission: UploadRule, maximumFiles: Int
    ) async throws -> [Received] {
        var parser = MultipartParser(boundary: boundary, style: style)
        var sink = Sink(services: services, admission: admission, maximumFiles: maximumFiles)
        var total: Int64 = 0
        do {
            try await request.readForm { piece in
                total += Int64(piece.readableBytes)
                do {
                    for event in try parser.feed(piece) { try await sink.take(event) }
                } catch {
                    // The space is free before the rest of the form is read.
                    await sink.discard()
                    throw error
                }
            }
            try parser.finish(lengthUsedUp: total == length)
            // A classic form may lack its final boundary; the last part is then complete.
            return sink.received
        } catch {
            await sink.discard()
            throw error
        }
    }

    private func store(_ received: [Received], name: String?) async throws -> [StoredFile] {
        let files = try received.enumerated().map { index, file in
            let fileName = try FileName.normalize(index == 0 ? name ?? file.name : file.name)
            return StoredFile(
                name: fileName, ownerID: owner?.id, blob: file.sealed.blob,
                type: ContentType.sniff(file.sealed.head, name: fileName), modifiedAt: services.clock.now())
        }
        return try await services.blobs.whilePublishing {
            for file in received.reversed() { try await file.writer.publish(file.sealed) }
            return try await services.files.recordingUnused(files) {
                try await services.files.add(files, quota: services.limits.accountBytes)
            }
        }
    }

    /// Discards the first writer last, as publishing does: its lock covers all of them.
    private static func discard(_ received: [Received]) async {
        for file in received.reversed() { await file.writer.discard() }
    }

    /// Consumes the parser's events, one file after another.
    private struct Sink {
        let services: FileServices
        let admission: UploadRule
        let maximumFiles: Int
        var received: [Received] = []
        var writer: BlobWriter?
        private var name = ""
        private var total: Int64 = 0
        private var fieldBytes = 0

        init(services: FileServices, admission: UploadRule, maximumFiles: Int) {
            self.services = services
            self.admission = admission
            self.maximumFiles = maximumFiles
        }

        mutating func take(_ event: MultipartParser.Event) async throws {
            switch event {
            case .begin(let head): try await begin(head)
            case .data(let data): try await write(data)
            case .end: try await end()
            }
        }

        private mutating func begin(_ head: MultipartHeader) async throws {
            fieldBytes = 0
            guard let fileName = head.fileName else { return }
            guard received.count < maximumFiles else {
                throw FeedError(
                    .tooLarge, "The upload contains more than \(maximumFiles) files", hint: "Send fewer at once.")
            }
            name = fileName
            writer = try await services.blobs.begin(limit: admission.limit(after: total), excess: admission.excess)
        }

        private mutating func write(_ data: ByteBuffer) async throws {
            if let writer { return try await writer.write(data) }
            fieldBytes += data.readableBytes
            guard fieldBytes <= services.limits.longFormBytes else {
                throw FeedError(.tooLarge, "A field of the form is larger than \(services.limits.longFormBytes) bytes")
            }
        }

        private mutating func end() async throws {
            guard let open = writer else { return }
            let sealed = try await open.seal(beside: received.first?.writer)
            total += sealed.blob.size
            received.append(Received(name: name, sealed: sealed, writer: open))
            writer = nil
        }

        func discard() async {
            await writer?.discard()
            await FileUpload.discard(received)
        }
    }
}

/// The parts of the server that receive files: uploads by name, and the files of forms.
struct FileServices: Sendable {
    let files: FileStore
    let blobs: BlobStore
    let settings: ReloadableSettings
    let clock: WallClock

    var limits: Limits { settings.limits }
}
