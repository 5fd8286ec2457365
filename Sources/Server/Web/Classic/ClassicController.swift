import FeedAPI
import FeedCore
import FeedFiles
import FeedStore
import HTTPTypes
import NIOCore

/// The protocol of the 2014 tutorial clients: timelines by username and password, downloads by name, multipart
/// uploads.
struct ClassicController: Sendable {
    private static let statusCount = 50
    private static let loginBytes = 16 * 1024

    let timelines: TimelineStore
    let passwords: Login
    let baseURL: BaseURL
    let settings: ReloadableSettings
    let files: FileController

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.post(Paths.classicView, .open, use: viewStatus)
        endpoints.get(Paths.classicView, .open, use: viewStatus)
        endpoints.get(Paths.classicDownload, .open, use: download)
        endpoints.head(Paths.classicDownload, .open, use: download)
        endpoints.post(Paths.classicUpload, .open, use: upload)
    }

    @Sendable func viewStatus(_ request: Request, _ context: RequestContext) async throws -> Response {
        let base = try baseURL.text(for: request)
        let account = try await login(try await credentials(request, context), context)
        let page = Pagination(limit: Self.statusCount)
        let statuses = try await timelines.timeline(.classic, page: page, for: account.id)
        var json = JSONWriter(capacity: 512 * Self.statusCount)
        json.classicStatuses(statuses.entries, base: base)
        return Response(json: json, headers: [.cacheControl: "private, no-store"])
    }

    @Sendable func download(_ request: Request, _ context: RequestContext) async throws -> Response {
        guard let name = try Self.fileName(request) else {
            throw FeedError.malformed("The file name is missing", hint: "Request /FileDownload.aspx?file=NAME.")
        }
        return try await files.serve(name: name, to: request, context)
    }

    @Sendable func upload(_ request: Request, _ context: RequestContext) async throws -> Response {
        let base = try baseURL.text(for: request)
        let owner = try await challenged { try await uploader(request, context) }
        let upload = FileUpload(services: files.services, owner: owner, style: .classic)
        let stored = try await upload.run(request, context, name: try Self.fileName(request), maximumFiles: 1)
        return files.list(stored, base: base, status: .ok)
    }

    /// The raw name in the query; ``FileName`` validates it.
    private static func fileName(_ request: Request) throws -> String? {
        try RequestParameters(form: request.uri.query ?? "")["file"]
    }

    /// The credentials from the form in the body, regardless of its Content-Type, or from the query.
    private func credentials(_ request: Request, _ context: RequestContext) async throws -> RequestParameters {
        guard request.method == .post else { return try request.query }
        let bytes = try await request.bytes(upTo: Self.loginBytes, context: context)
        guard bytes.readableBytes > 0 else { return try request.query }
        return try RequestParameters(form: try RequestParameters.validated(bytes.readableBytesView)).withoutNUL()
    }

    private func login(_ input: RequestParameters, _ context: RequestContext) async throws -> Account {
        guard let username = input["userName"], let password = input["password"] else {
            throw FeedError.malformed(
                "userName and password are missing", hint: "Send userName=…&password=… as a form.")
        }
        return try await passwords.check(
            username: username, password: password, address: context.address)
    }

    /// Names HTTP Basic as well when a login is refused: of the endpoints, only an upload accepts it.
    private func challenged<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as FeedError where error.kind == .unauthorized {
            var problem = ErrorResponse(error)
            problem.headers[.wwwAuthenticate] = "Basic realm=\"feedserver\", Bearer realm=\"feedserver\""
            throw problem
        }
    }

    /// The owner of an upload; `nil` for an anonymous upload if the server allows these.
    /// - Throws: ``FeedError`` `.unauthorized`.
    private func uploader(_ request: Request, _ context: RequestContext) async throws -> Account? {
        let query = try request.query
        if let (username, password) = request.basicCredentials {
            return try await passwords.check(
                username: username, password: password, address: context.address)
        }
        if query["userName"] != nil { return try await login(query, context) }
        if case .unknownToken = context.caller { throw FeedError.unauthorized }
        if case .holder(.suspended) = context.caller { throw FeedError.suspended }
        if case .holder(.pending) = context.caller { throw FeedError.pending }
        if let viewer = context.viewer, viewer.scopes.allows(.writeMedia) {
            return viewer.account
        }
        if settings.allowsAnonymousUploads { return nil }
        throw FeedError(
            .unauthorized, "Uploads require a login", hint: "Use HTTP Basic, or userName and password in the query.")
    }
}

extension JSONWriter {
    /// Writes `{"statuses":[…]}` with exactly the keys that the 2014 clients expect; they crash on any other key.
    mutating func classicStatuses(_ statuses: [Status], base: String) {
        object {
            $0.array("statuses") { for status in statuses { $0.classicStatus(status, base: base) } }
        }
    }

    /// The text; or the content warning and where to read the text, because these clients cannot fold it.
    private static func text(of status: Status, base: String) -> String {
        guard let warning = status.warningLine else { return status.text }
        let isOnPages = status.visibility == .public || status.visibility == .unlisted
        return isOnPages ? "\(warning)\n\(base)/@\(status.account.username)/\(status.id)" : warning
    }

    private mutating func classicStatus(_ status: Status, base: String) {
        object {
            $0.key("Id")
            $0.int(status.id)
            $0.key("profileImageUrl")
            $0.string(base, status.account.avatarPath)
            $0.key("mbtype")
            $0.string(base, "/badges/", status.account.role.rawValue, ".png")
            $0.field("createdAt", ISO8601.classicText(milliseconds: status.createdAt))
            $0.field("source", status.source)
            $0.field("text", Self.text(of: status, base: base))
            $0.object("user") {
                $0.key("Id")
                $0.int(status.account.id)
                $0.field("name", status.account.displayNameOrUsername)
                $0.field("city", status.account.city)
            }
        }
    }
}
