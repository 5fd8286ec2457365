import FeedAPI
import FeedCore
import FeedFiles
import HTTPTypes
import NIOCore

/// The files that browsers and search engines look for: `/assets/NAME`, `/assets/VERSION/NAME`, icons, `/sw.js`,
/// `/manifest.webmanifest` and `/robots.txt`.
struct AssetController: Sendable {
    private static let icons = ["favicon.ico", "apple-touch-icon.png"]

    /// Paths that search engines should not open: the API, forms, and the pages of members. Where they do, `noindex`
    /// decides.
    private static let robots = """
        User-agent: *
        Disallow: /admin
        Disallow: /api/
        Disallow: /bookmarks
        Disallow: /compose
        Disallow: /conversations
        Disallow: /favourites
        Disallow: /home
        Disallow: /lists
        Disallow: /login
        Disallow: /notifications
        Disallow: /oauth/
        Disallow: /search
        Disallow: /settings
        Disallow: /statuses/

        """

    /// A worker has a policy of its own: it may only fetch from this server.
    private static let workerPolicy = "default-src 'none'; connect-src 'self'"

    let assets: PageAssets
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.immediate("/assets/:name", .open) { request, context in
            try asset(context.parameters.get("name") ?? "", request, version: try request.query["v"])
        }
        endpoints.immediate("/assets/:name/:file", .open) { request, context in
            let version = context.parameters.get("name")
            return try asset(context.parameters.get("file") ?? "", request, version: version)
        }
        // At the top level, since a service worker controls only what is beside and below it.
        endpoints.immediate("/sw.js", .open) { request, _ in
            try asset("sw.js", request, headers: [.contentSecurityPolicy: Self.workerPolicy])
        }
        for name in Self.icons { endpoints.immediate("/" + name, .open) { request, _ in try asset(name, request) } }
        endpoints.immediate("/robots.txt", .open) { request, _ in
            Self.file(Array(Self.robots.utf8), type: "text/plain; charset=utf-8", request)
        }
        endpoints.immediate("/manifest.webmanifest", .open, manifest)
    }

    /// - Parameter version: The version that the address of the file contains.
    private func asset(
        _ name: String, _ request: Request, version: String? = nil, headers: HTTPFields = [:]
    ) throws -> Response {
        let edition = try assets.edition()
        guard let asset = edition.assets[name] else { throw FeedError(.notFound, "No such file") }
        let isVersioned = version == edition.version
        var headers = headers
        headers[.cacheControl] = isVersioned ? "public, max-age=31536000, immutable" : "no-cache"
        guard let compressed = asset.compressed else {
            return FileResponse.response(
                to: request, bytes: asset.bytes, type: asset.type, tag: asset.tag, headers: headers)
        }
        headers[.vary] = "Accept-Encoding"
        let coding = ContentCoding(accepted: request.headers[.acceptEncoding])
        if coding == .gzip { headers[.contentEncoding] = coding.rawValue }
        return FileResponse.response(
            to: request, bytes: coding == .gzip ? compressed : asset.bytes, type: asset.type,
            tag: asset.tag.coded(coding), headers: headers)
    }

    /// The web app manifest, with which the pages can be installed like an app.
    @Sendable private func manifest(_ request: Request, _ context: RequestContext) throws -> Response {
        let site = settings.site
        var json = JSONWriter(capacity: 512)
        json.object {
            $0.field("id", "/")
            $0.field("name", site.title)
            $0.field("short_name", site.title)
            $0.field("description", site.text)
            $0.field("lang", site.pageLanguage.rawValue)
            $0.field("start_url", "/")
            $0.field("scope", "/")
            $0.field("display", "standalone")
            $0.field("background_color", "#f2f5f3")
            $0.field("theme_color", "#117a63")
            $0.array("icons") {
                $0.icon("/assets/icon.svg", type: "image/svg+xml", sizes: "any", purpose: "any")
                $0.icon("/assets/icon-512.png", type: "image/png", sizes: "512x512", purpose: "any")
                $0.icon("/assets/icon-512.png", type: "image/png", sizes: "512x512", purpose: "maskable")
            }
        }
        return Self.file(json.bytes, type: "application/manifest+json", request)
    }

    private static func file(_ bytes: [UInt8], type: String, _ request: Request) -> Response {
        FileResponse.response(
            to: request, bytes: ByteBuffer(bytes: bytes), type: type, tag: EntityTag(of: bytes),
            headers: [.cacheControl: "no-cache"])
    }
}

extension JSONWriter {
    fileprivate mutating func icon(_ path: String, type: String, sizes: String, purpose: String) {
        object {
            $0.field("src", path)
            $0.field("type", type)
            $0.field("sizes", sizes)
            $0.field("purpose", purpose)
        }
    }
}
