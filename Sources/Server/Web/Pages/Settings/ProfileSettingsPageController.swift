import FeedCore
import FeedStore
import HTTPTypes

/// The page on which members change their profile and its pictures: `/settings/profile`.
struct ProfileSettingsPageController: Sendable {
    private static let path = "/settings/profile"

    let accounts: AccountStore
    /// `nil` if the server accepts no pictures.
    let media: MediaServices?
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Self.path, .member(.readAccounts)) { request, context in
            try await pages.errors.form {
                pages.response(with: try page(nil, nil, request, context), context)
            }
        }
        endpoints.post(Self.path, .member(.writeAccounts)) { request, context in
            try await pages.errors.form { try await change(request, context) }
        }
        addPicture("avatar", to: endpoints) { $0.avatar = .remove }
        addPicture("header", to: endpoints) { $0.header = .remove }
    }

    private func addPicture(
        _ name: String, to endpoints: Endpoints, _ remove: @escaping @Sendable (inout ProfileChanges) -> Void
    ) {
        endpoints.post(Self.path + "/" + name, .member(.writeAccounts)) { request, context in
            try await pages.errors.form { try await upload(name, request, context) }
        }
        endpoints.post(Self.path + "/\(name)/remove", .member(.writeAccounts)) { request, context in
            try await pages.errors.form {
                var draft = ProfileChanges()
                remove(&draft)
                _ = try await profiles(request).edit(draft, of: try context.require().account.id, freesSpace: true)
                return .seeOther(Self.path + "?saved")
            }
        }
    }

    private func profiles(_ request: Request) throws -> ProfileEditing {
        ProfileEditing(
            accounts: accounts, limits: pages.settings.limits, host: try pages.baseURL.host(for: request))
    }

    private func change(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try await pages.input(request, context)
        return try await pages.submit(request, context) { refusal in
            try page(input, refusal, request, context)
        } _: {
            var draft = try ProfileChanges(input)
            // Browsers send line breaks as CR LF.
            draft.note = draft.note?.replacing("\r\n", with: "\n")
            try check(draft)
            _ = try await profiles(request).edit(draft, of: try context.require().account.id)
            return .seeOther(Self.path + "?saved")
        }
    }

    /// Checks each field by itself, so that its refusal stands beside it.
    /// - Throws: ``FieldRefusal``.
    private func check(_ draft: ProfileChanges) throws {
        var part = ProfileChanges()
        part.displayName = draft.displayName
        try FieldRefusal.at("display_name") { try ProfileRule.check(part, pages.settings.limits) }
        part.note = draft.note
        try FieldRefusal.at("note") { try ProfileRule.check(part, pages.settings.limits) }
        for (number, field) in (draft.fields ?? []).enumerated() {
            part.fields = [field]
            try FieldRefusal.at(Self.field(number, "name")) { try ProfileRule.check(part, pages.settings.limits) }
        }
    }

    private func upload(_ name: String, _ request: Request, _ context: RequestContext) async throws -> Response {
        guard let media else { throw FeedError.notAllowed }
        let account = try context.require().account.id
        return try await pages.submit(request, context, at: name) { refusal in
            try page(nil, refusal, request, context)
        } _: {
            let upload = MediaUpload(services: media, account: account, logger: context.logger)
            _ = try await AvatarUpload(upload: upload, profiles: try profiles(request)).update(
                request, context)
            return .seeOther(Self.path + "?saved")
        }
    }
}

extension ProfileSettingsPageController {
    private static func field(_ number: Int, _ part: String) -> String { "fields_attributes[\(number)][\(part)]" }

    private func page(
        _ input: RequestParameters?, _ refusal: PageForm.Refusal?, _ request: Request, _ context: RequestContext
    ) throws -> PageContext {
        let account = try context.require().account
        var shown = try pages.settings(\.profile, request, context)
        let text = shown.text
        var forms = [profile(account, input, refusal, text)]
        if media != nil {
            forms += picture(
                "avatar", (text.picture, text.removePicture), account.avatar.map { _ in account.avatarPath }, refusal,
                text)
            forms += picture(
                "header", (text.header, text.removeHeader), account.header.map { _ in account.headerPath }, refusal,
                text)
        }
        shown.show(forms)
        return shown
    }

    private func profile(
        _ account: Account, _ input: RequestParameters?, _ refusal: PageForm.Refusal?, _ text: any PageText
    ) -> PageForm {
        var form = PageForm(path: Self.path, submit: text.save)
        form.fields = [
            PageForm.Field(
                "display_name", text.displayName, .line("text"), input?["display_name"] ?? account.displayName),
            PageForm.Field("note", text.aboutYou, .area, input?["note"] ?? account.note),
        ]
        form.fields += fields(of: account, input, text)
        form.fields += [
            .check("locked", text.approvesFollowers, input?.flag("locked") ?? account.isLocked),
            .check("bot", text.isBot, input?.flag("bot") ?? account.isBot),
            .check(
                "discoverable", text.discoverable, input?.flag("discoverable") ?? account.isDiscoverable),
            .check(
                "indexable", text.indexable,
                input?.flag("indexable") ?? account.privacy.contains(.indexable)),
            .check(
                "hide_collections", text.hideCollections,
                input?.flag("hide_collections") ?? account.privacy.contains(.hidesCollections)),
            .check(
                "noindex", text.noindex,
                input?.flag("noindex") ?? account.privacy.contains(.noindex)),
        ]
        form.refusal = refusal.flatMap { ["avatar", "header"].contains($0.field) ? nil : $0 }
        return form
    }

    /// The custom fields, as many as a profile may have.
    private func fields(
        of account: Account, _ input: RequestParameters?, _ text: any PageText
    ) -> [PageForm.Field] {
        let count = max(pages.settings.limits.profileFields, account.fields.count)
        return (0..<count).flatMap { number in
            let stored = account.fields.indices.contains(number) ? account.fields[number] : nil
            let (name, value) = (Self.field(number, "name"), Self.field(number, "value"))
            return [
                PageForm.Field(name, text.fieldName(number + 1), .line("text"), input?[name] ?? stored?.name),
                PageForm.Field(
                    value, text.fieldContent(number + 1), .line("text"), input?[value] ?? stored?.value),
            ]
        }
    }

    /// - Parameter path: The path of the stored picture, if there is one.
    private func picture(
        _ name: String, _ labels: (heading: String, removal: String), _ path: String?, _ refusal: PageForm.Refusal?,
        _ text: any PageText
    ) -> [PageForm] {
        var form = PageForm(path: Self.path + "/" + name, submit: text.upload)
        (form.heading, form.image) = (labels.heading, path)
        form.fields = [
            PageForm.Field(name, text.newPicture, .file(accepts: "image/*", isMultiple: false)).required()
        ]
        form.refusal = refusal.flatMap { $0.field == name ? $0 : nil }
        let removal = PageForm(path: Self.path + "/\(name)/remove", submit: labels.removal)
        return path == nil ? [form] : [form, removal]
    }
}
