import FeedAPI
import FeedCore
import FeedStore

/// The viewer's profile and preferences.
struct ProfileController: Sendable {
    let accounts: AccountStore
    let credentialAccounts: CredentialAccounts
    /// `nil` if the server accepts no pictures.
    let media: MediaServices?
    let baseURL: BaseURL
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.patch(Paths.updateCredentials, .account(.writeAccounts), use: update)
        endpoints.immediate("/api/v1/preferences", .account(.readAccounts), preferences)
    }

    @Sendable func update(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require().account
        let host = try baseURL.host(for: request)
        let profiles = ProfileEditing(accounts: accounts, limits: settings.limits, host: host)
        let account: Account
        if let media {
            let upload = MediaUpload(services: media, account: viewer.id, logger: context.logger)
            account = try await AvatarUpload(upload: upload, profiles: profiles).update(request, context)
        } else {
            let input = try await request.input(upTo: settings.limits.longFormBytes, context: context)
            try Self.refusePictures(input)
            account = try await profiles.edit(try ProfileChanges(input), of: viewer.id)
        }
        return try await credentialAccounts.response(account, to: request)
    }

    @Sendable private func preferences(_ request: Request, _ context: RequestContext) throws -> Response {
        let viewer = try context.require().account
        var json = JSONWriter()
        json.object {
            $0.field("posting:default:visibility", viewer.defaultVisibility.apiName)
            $0.field("posting:default:sensitive", viewer.defaultSensitive)
            $0.field("posting:default:language", viewer.defaultLanguage)
            $0.field("reading:expand:media", "default")
            $0.field("reading:expand:spoilers", false)
            $0.field("reading:autoplay:gifs", false)
        }
        return Response(json: json)
    }

    private static func refusePictures(_ input: RequestParameters) throws(FeedError) {
        for (name, word) in [("avatar", "Avatar"), ("header", "Header")]
        where input.files.contains(name) || input[name]?.isEmpty == false {
            throw FeedError(
                .invalid, "Validation failed: \(word) cannot be set",
                hint: "This server does not support profile pictures yet; omit this field.")
        }
    }
}

/// Accounts as their owners see them.
struct CredentialAccounts: Sendable {
    let follows: FollowStore
    let contexts: EntityContexts

    func response(_ account: Account, to request: Request) async throws -> Response {
        Response(json: try await json(account, to: request))
    }

    func json(_ account: Account, to request: Request) async throws -> JSONWriter {
        let entities = try contexts.make(for: request)
        var json = JSONWriter()
        json.credentialAccount(account, entities, requests: try await follows.requestsCount(to: account.id))
        return json
    }
}

extension ProfileChanges {
    init(_ input: RequestParameters) throws(FeedError) {
        self.init()
        displayName = try input.one("display_name")
        note = try input.one("note")
        isLocked = input.flag("locked")
        isBot = input.flag("bot")
        isDiscoverable = input.flag("discoverable")
        isIndexable = input.flag("indexable")
        hidesCollections = input.flag("hide_collections")
        isNoindex = input.flag("noindex")
        fields = try input.objects("fields_attributes")?.map { Field(name: $0["name"] ?? "", value: $0["value"] ?? "") }
        if fields == nil, input.isEmptyList("fields_attributes") { fields = [] }
        defaultSensitive = input.flag("source[sensitive]")
        defaultLanguage = try input.one("source[language]")
        if let word = try input.one("source[privacy]"), !word.isEmpty {
            guard let visibility = Visibility(apiName: word) else {
                throw .invalid("Privacy is not included in the list")
            }
            defaultVisibility = visibility
        }
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
        _ picture: WritableKeyPath<ProfileChanges, ProfileChanges.PictureChange?>, _ request: Request,
        _ context: RequestContext
    ) async throws -> Response {
        var draft = ProfileChanges()
        draft[keyPath: picture] = .remove
        let profiles = ProfileEditing(accounts: accounts, limits: settings.limits)
        let account = try await profiles.edit(draft, of: try context.require().account.id, freesSpace: true)
        return try await credentialAccounts.response(account, to: request)
    }
}
