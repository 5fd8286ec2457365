import FeedAPI
import FeedCore
import FeedFiles
import FeedStore

/// A received request to upload media, or to change it.
struct MediaUploadForm: Sendable {
    private static let fileField = "file"
    private static let thumbnailField = "thumbnail"

    /// The path of the file to process; `nil` if the request contains none.
    let path: String?
    /// The path of a custom thumbnail.
    let thumbnailPath: String?
    let draft: MediaChanges
    private let form: MultipartForm

    /// Receives `file` or `file_name`, `thumbnail`, `description` and `focus`.
    /// - Parameter acceptsFile: Whether the request may contain a file, apart from the thumbnail.
    /// - Throws: ``FeedError``; `.notFound` if the account has no file with the given name.
    static func receive(
        _ request: Request, _ context: RequestContext, services: FileServices, owner: Account, acceptsFile: Bool
    ) async throws -> MediaUploadForm {
        let names: Set<String> = acceptsFile ? [fileField, thumbnailField] : [thumbnailField]
        let form = try await MultipartForm.receive(
            request, context, services: services, owner: owner.id, files: names,
            maximum: services.limits.media.uploadBytes)
        do {
            return try await MediaUploadForm(form, services: services, owner: owner, acceptsFile: acceptsFile)
        } catch {
            await form.discard()
            throw error
        }
    }

    private init(_ form: MultipartForm, services: FileServices, owner: Account, acceptsFile: Bool) async throws {
        self.form = form
        let limits = services.limits.media
        draft = try MediaChanges(form.values)
        try draft.check(limits)
        for file in form.allFiles { try Self.check(file.sealed, limits) }
        thumbnailPath = form[file: Self.thumbnailField]?.path
        let sent = form[file: Self.fileField]?.path
        guard acceptsFile, sent == nil, let name = try form.values.one("file_name"), !name.isEmpty else {
            path = sent
            return
        }
        path = try await Self.path(ofFile: name, services: services, owner: owner)
    }

    /// The path of a stored file of the account.
    static func path(ofFile name: String, services: FileServices, owner: Account) async throws -> String {
        let file = try await services.files.fileToReplace(named: try FileName.normalize(name))
        guard let file, file.ownerID == owner.id else { throw FeedError(.notFound, "No such file") }
        let maximum = services.limits.media.uploadBytes
        guard file.blob.size <= maximum else { throw tooLarge(maximum) }
        return services.blobs.path(file.blob.hash)
    }

    /// - Throws: ``FeedError`` `.tooLarge` for a large image; other media may be larger.
    static func check(_ sealed: SealedBlob, _ limits: MediaLimits) throws(FeedError) {
        guard ContentType.imageFormat(sealed.head) != nil, sealed.blob.size > Int64(limits.imageBytes) else { return }
        throw tooLarge(Int64(limits.imageBytes))
    }

    private static func tooLarge(_ maximum: Int64) -> FeedError {
        FeedError(.tooLarge, "The file is larger than \(maximum) bytes", hint: "Send a smaller file.")
    }

    /// Removes the temporary files.
    func discard() async { await form.discard() }
}
