import FeedAPI
import FeedCore
import FeedStore

/// Changes of a profile that may contain an avatar or a header.
struct ProfilePictures: Sendable {
    private typealias Field = WritableKeyPath<ProfileDraft, ProfileDraft.PictureChange?>

    private static var fields: [(name: String, word: String, picture: Field)] {
        [("avatar", "Avatar", \.avatar), ("header", "Header", \.header)]
    }

    let intake: MediaIntake
    let profiles: ProfileEditing

    private var services: FileServices { intake.services.uploads }

    /// Receives a form, processes its pictures and stores the profile. An empty text instead of a picture removes it.
    /// - Throws: ``FeedError``; nothing is stored then.
    func update(_ request: Request, _ context: FeedContext) async throws -> Account {
        let form = try await StreamedForm.receive(
            request, context, services: services, owner: intake.account, files: Set(Self.fields.map(\.name)),
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

    private func update(_ form: StreamedForm) async throws -> Account {
        var draft = try ProfileDraft(form.values)
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
            await intake.discard(published)
            throw error
        }
        return try await intake.keep(published) { [draft] in
            try await profiles.edit(draft, of: intake.account)
        }
    }

    /// - Returns: The published picture.
    private func process(_ path: String, _ word: String) async throws -> Picture {
        let limits = services.limits.media
        let processed = try await intake.process(path)
        guard let picture = processed.picture(limits) else {
            await intake.discard(processed.blobs)
            throw FeedError.invalid("\(word) must be an image of at most \(limits.profileImageBytes) bytes")
        }
        await intake.discard(processed.blobs.filter { !picture.blobs.contains($0) })
        return picture
    }
}

/// Removes avatars and headers.
struct PictureController: Sendable {
    let accounts: AccountStore
    let credentialAccounts: CredentialAccounts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.delete("/api/v1/profile/avatar", .account(.writeAccounts)) { try await remove(\.avatar, $0, $1) }
        endpoints.delete("/api/v1/profile/header", .account(.writeAccounts)) { try await remove(\.header, $0, $1) }
    }

    private func remove(
        _ picture: WritableKeyPath<ProfileDraft, ProfileDraft.PictureChange?>, _ request: Request,
        _ context: FeedContext
    ) async throws -> Response {
        var draft = ProfileDraft()
        draft[keyPath: picture] = .remove
        let profiles = ProfileEditing(accounts: accounts, limits: settings.limits)
        let account = try await profiles.edit(draft, of: try context.require().account.id, freesSpace: true)
        return try await credentialAccounts.response(account, to: request)
    }
}
