import FeedAPI
import FeedCore
import FeedFiles
import FeedStore

/// Stores an uploaded avatar or header, with the other changes of the profile in the same form.
struct AvatarUpload: Sendable {
    private typealias Field = WritableKeyPath<ProfileChanges, ProfileChanges.PictureChange?>

    private static var fields: [(name: String, word: String, picture: Field)] {
        [("avatar", "Avatar", \.avatar), ("header", "Header", \.header)]
    }

    let upload: MediaUpload
    let profiles: ProfileEditing

    private var services: FileServices { upload.services.uploads }

    /// Receives a form, processes its pictures and stores the profile. An empty text instead of a picture removes it.
    /// - Throws: ``FeedError``; nothing is stored then.
    func update(_ request: Request, _ context: RequestContext) async throws -> Account {
        let form = try await MultipartForm.receive(
            request, context, services: services, owner: upload.account, files: Set(Self.fields.map(\.name)),
            maximum: Int64(services.limits.media.imageBytes))
        do {
            let account = try await update(form)
            await form.discard()
            return account
        } catch {
            await form.discard()
            throw error
        }
    }

    private func update(_ form: MultipartForm) async throws -> Account {
        var draft = try ProfileChanges(form.values)
        var published: [Blob] = []
        do {
            for (name, word, picture) in Self.fields {
                if let file = form[file: name] {
                    let processed = try await process(file.path, word)
                    published += processed.blobs
                    draft[keyPath: picture] = .set(processed)
                } else if let text = form.values[name] {
                    guard text.isEmpty else { throw FeedError.invalid("\(word) must be an uploaded image") }
                    draft[keyPath: picture] = .remove
                }
            }
        } catch {
            await upload.discard(published)
            throw error
        }
        return try await upload.keep(published) { [draft] in
            try await profiles.edit(draft, of: upload.account)
        }
    }

    /// - Returns: The published picture.
    private func process(_ path: String, _ word: String) async throws -> Picture {
        let limits = services.limits.media
        let processed: ProcessedMedia
        do { processed = try await upload.process(path) } catch let error as FeedError { throw error.ofImage }
        guard let picture = processed.picture(limits) else {
            await upload.discard(processed.blobs)
            throw FeedError.invalid("\(word) must be an image of at most \(limits.profileImageBytes) bytes")
        }
        await upload.discard(processed.blobs.filter { !picture.blobs.contains($0) })
        return picture
    }
}
