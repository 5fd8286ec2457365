import FeedAPI
import FeedCore
import FeedFiles
import FeedStore
import HTTPTypes

/// The files of a member: `/settings/files`, `/settings/files/NAME`.
struct FilesPageController: Sendable {
    static let path = "/settings/files"
    private static let pageLimit = 50

    let services: FileServices
    /// `nil` if the server does not accept any media.
    let media: MediaServices?
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Self.path, .member(.read)) { request, context in
            try await pages.errors.form {
                pages.response(with: try await list(nil, request, context), context)
            }
        }
        endpoints.post(Self.path, .member(.writeMedia)) { request, context in
            try await pages.errors.form { try await upload(request, context) }
        }
        endpoints.get(Self.path + "/:name", .member(.read)) { request, context in
            try await pages.errors.form {
                pages.response(with: try show(try await require(context), nil, request, context), context)
            }
        }
        endpoints.post(Self.path + "/:name/replace", .member(.writeMedia)) { request, context in
            try await pages.errors.form { try await replace(request, context) }
        }
        endpoints.post(Self.path + "/:name/delete", .member(.writeMedia)) { request, context in
            try await pages.errors.form { try await delete(context) }
        }
        endpoints.post(Self.path + "/:name/attach", .member(.writeMedia)) { request, context in
            try await pages.errors.form { try await attach(request, context) }
        }
    }

    /// The member's own file in the path.
    private func require(_ context: RequestContext) async throws -> StoredFile {
        let name = try FileName.normalize(try context.segment("name"))
        let file = try await services.files.fileToReplace(named: name)
        guard let file, file.ownerID == (try context.require().account.id) else {
            throw FeedError(.notFound, "No such file")
        }
        return file
    }

    private func upload(_ request: Request, _ context: RequestContext) async throws -> Response {
        let account = try context.require().account
        return try await pages.submit(request, context, at: "file") { refusal in
            try await list(refusal, request, context)
        } _: {
            _ = try await FileUpload(services: services, owner: account, style: .strict).run(request, context)
            return .seeOther(Self.path + "?saved")
        }
    }

    private func replace(_ request: Request, _ context: RequestContext) async throws -> Response {
        let file = try await require(context)
        return try await pages.submit(request, context, at: "file") { refusal in
            try show(file, refusal, request, context)
        } _: {
            let form = try await MultipartForm.receive(
                request, context, services: services, owner: try context.require().account.id, files: ["file"],
                maximum: services.limits.fileBytes, replaced: file.blob.size)
            do {
                try await store(form[file: "file"], in: file, try context.require().account)
            } catch {
                await form.discard()
                throw error
            }
            return .seeOther(file.settingsPath + "?saved")
        }
    }

    private func store(_ sent: MultipartForm.File?, in old: StoredFile, _ account: Account) async throws {
        guard let sent else { throw FeedError.invalid("Choose a file") }
        let file = StoredFile(
            name: old.name, ownerID: account.id, blob: sent.sealed.blob,
            type: ContentType.sniff(sent.sealed.head, name: old.name), modifiedAt: services.clock.now())
        try await services.blobs.whilePublishing {
            try await sent.writer.publish(sent.sealed)
            _ = try await services.files.recordingUnused([file]) {
                try await services.files.put(file, quota: services.limits.accountBytes) { existing in
                    // Another request may have deleted it, and somebody else may have taken the name.
                    guard existing?.ownerID == account.id else { throw FeedError(.notFound, "No such file") }
                }
            }
        }
        await collectReplaced()
    }

    private func delete(_ context: RequestContext) async throws -> Response {
        let (file, owner) = (try await require(context), try context.require().account.id)
        _ = try await services.files.delete(named: file.name) { existing in
            guard existing.ownerID == owner else { throw FeedError(.notFound, "No such file") }
        }
        await collectReplaced()
        return .seeOther(Self.path)
    }

    /// Frees the space immediately. If that fails, the maintenance task tries again.
    private func collectReplaced() async {
        try? await GarbageCollector(blobs: services.blobs, files: services.files).collectReplaced(of: nil)
    }

    /// Makes an attachment of the file, with which the form for a new post opens.
    private func attach(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (file, account) = (try await require(context), try context.require().account)
        guard let media else { throw FeedError.notAllowed }
        return try await pages.submit(request, context) { refusal in
            try show(file, refusal, request, context)
        } _: {
            let path = try await MediaUploadForm.path(ofFile: file.name, services: services, owner: account)
            let processor = MediaUpload(services: media, account: account.id, logger: context.logger)
            let stored = try await processor.create(try await processor.process(path, thumbnail: nil), MediaChanges())
            return .seeOther("/compose?media_ids=\(stored.id)")
        }
    }
}

extension FilesPageController {
    private func list(
        _ refusal: PageForm.Refusal?, _ request: Request, _ context: RequestContext
    ) async throws -> PageContext {
        let (account, query) = (try context.require().account, try request.query)
        let part = query["q"] ?? ""
        let found = try await services.files.files(
            of: account.id, after: query["after"], containing: part, limit: Self.pageLimit + 1)
        let files = found.prefix(Self.pageLimit)
        var shown = try pages.settings({ $0.entry(.files).title }, request, context)
        shown.show([Self.upload(refusal, shown.text), Self.search(part, shown.text)])
        shown.showRows(files.map { TemplateValues($0, in: shown.locale) })
        if files.isEmpty { shown.setEmpty(part.isEmpty ? shown.text.noFiles : shown.text.noSuchFiles) }
        if found.count > Self.pageLimit, let last = files.last {
            let rest = part.isEmpty ? "" : "&q=" + part.percentEncodedSegment
            shown.set(.moreRows, "\(Self.path)?after=\(last.name.percentEncodedSegment)\(rest)")
            shown.set(.moreRowsText, shown.text.moreFiles)
        }
        return shown
    }

    private static func upload(_ refusal: PageForm.Refusal?, _ text: any PageText) -> PageForm {
        var form = PageForm(path: path, submit: text.upload)
        form.fields = [
            PageForm.Field("file", text.entry(.files).title, .file(accepts: nil, isMultiple: true)).required()
                .hint(text.filesArePublic)
        ]
        form.refusal = refusal
        return form
    }

    private static func search(_ part: String, _ text: any PageText) -> PageForm {
        var form = PageForm(path: path, submit: text.find)
        form.fields = [PageForm.Field("q", text.partOfName, .line("search"), part)]
        form.isSearch = true
        return form
    }

    /// - Parameter refusal: Of the form that replaces the file, or of the one that attaches it.
    private func show(
        _ file: StoredFile, _ refusal: PageForm.Refusal?, _ request: Request, _ context: RequestContext
    ) throws -> PageContext {
        var shown = try pages.settings({ _ in file.name }, request, context)
        let text = shown.text
        var replacement = PageForm(path: file.settingsPath + "/replace", submit: text.replace)
        replacement.notes = [file.summary(text) + text.listSeparator + shown.locale.date(file.modifiedAt)]
        replacement.fields = [
            PageForm.Field("file", text.newContent, .file(accepts: nil, isMultiple: false)).required()
        ]
        replacement.refusal = refusal?.field == nil ? nil : refusal
        var attachment = PageForm(path: file.settingsPath + "/attach", submit: text.attach)
        attachment.refusal = refusal?.field == nil ? refusal : nil
        let deletion = PageForm(path: file.settingsPath + "/delete", submit: text.deleteFile)
        shown.show([replacement] + (media == nil ? [] : [attachment]) + [deletion])
        shown.setTools([PageNavigation.Link(path: "/files/" + file.name.percentEncodedSegment, label: text.openFile)])
        shown.set(.backURL, Self.path)
        shown.set(.backText, text.entry(.files).title)
        return shown
    }
}

extension StoredFile {
    fileprivate var settingsPath: String { FilesPageController.path + "/" + name.percentEncodedSegment }

    /// Its size and type.
    fileprivate func summary(_ text: any PageText) -> String {
        "\(FileSize.text(blob.size, text))\(text.listSeparator)\(type)"
    }
}

extension TemplateValues {
    /// A file in a list.
    fileprivate init(_ file: StoredFile, in locale: PageLocale) {
        self.init(file.name, file.summary(locale.text), at: file.settingsPath)
        set(.datetime, ISO8601.text(milliseconds: file.modifiedAt))
        set(.dateText, locale.date(file.modifiedAt))
    }
}

/// Sizes as people read them.
enum FileSize {
    private static let units = ["KiB", "MiB", "GiB", "TiB"]

    /// For example `512 bytes` or `1.5 MiB`, rounded as feedclient does.
    static func text(_ bytes: Int64, _ text: any PageText) -> String {
        guard bytes >= 1024 else { return text.bytes(bytes) }
        var (value, unit) = (bytes, 0)
        while value >= 1024 * 1024, unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
        let tenths = Int64((Double(value) / 102.4).rounded())
        return "\(tenths / 10)\(text.decimalSeparator)\(tenths % 10) \(units[unit])"
    }
}
