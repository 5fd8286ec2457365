import Crypto
package import FeedCore
import FeedFiles
import Foundation
import NIOCore

/// The templates and assets of the web pages, from the binary or from a folder.
package struct PageAssets: Sendable {
    /// The media types of the files served under `/assets`, besides scripts. Templates are not served.
    private static let assetTypes = [
        "style.css": "text/css; charset=utf-8", "icon.svg": "image/svg+xml", "icon-512.png": "image/png",
        "apple-touch-icon.png": "image/png", "favicon.ico": "image/vnd.microsoft.icon",
    ]

    private static func assetType(of name: String) -> String? {
        name.hasSuffix(".js") ? "text/javascript; charset=utf-8" : assetTypes[name]
    }

    /// A snapshot of the files.
    struct Edition: Sendable {
        let files: [String: [UInt8]]
        /// The files served under `/assets`, by name.
        let assets: [String: Asset]
        let templates: [PageLanguage: TemplateLibrary]
        /// A hash of all files.
        let version: String
    }

    /// A file served under `/assets`.
    struct Asset: Sendable {
        let bytes: ByteBuffer
        /// The text compressed; `nil` for pictures.
        let compressed: ByteBuffer?
        let type: String
        let tag: EntityTag

        init(_ file: [UInt8], type: String) {
            bytes = ByteBuffer(bytes: file)
            let isText = type.hasPrefix("text/") || type == "image/svg+xml"
            compressed = isText ? file.withUnsafeBytes(Gzip.compress).map { ByteBuffer(bytes: $0) } : nil
            self.type = type
            tag = EntityTag(of: file)
        }
    }

    private let settings: ReloadableSettings
    private let folder: String?
    private let embedded: Edition

    /// - Parameters:
    ///   - settings: The texts of the site.
    ///   - files: The files in the binary, by name.
    ///   - folder: A folder to read the files from on every request instead, for development.
    /// - Throws: ``FeedError`` `.storage` if a file is missing or a template is malformed.
    package init(settings: ReloadableSettings, files: [String: [UInt8]], folder: String? = nil) throws {
        self.settings = settings
        self.folder = folder
        embedded = try Self.edition(files)
        if folder != nil { _ = try edition() }
    }

    /// The files of others, which are not read and parsed again.
    package init(settings: ReloadableSettings, filesOf other: PageAssets) {
        (self.settings, folder, embedded) = (settings, other.folder, other.embedded)
    }

    /// The name shown on every page.
    var site: String { settings.site.title }

    /// The language of pages for visitors whose browser asks for no other.
    var siteLanguage: PageLanguage { settings.site.pageLanguage }

    /// Whether visitors may sign up without an invitation.
    var signsUp: Bool { settings.registration.mode.isForEveryone }

    /// The current files.
    /// - Throws: ``FeedError`` `.storage` if a file is missing or a template is malformed.
    func edition() throws -> Edition {
        guard let folder else { return embedded }
        var files: [String: [UInt8]] = [:]
        for name in embedded.files.keys {
            guard let bytes = FileManager.default.contents(atPath: folder + "/" + name) else {
                throw FeedError(
                    .storage, "the web reader's folder \(folder) has no \(name)", hint: "Check --public DIR.")
            }
            files[name] = Array(bytes)
        }
        return try Self.edition(files)
    }

    /// A page without its content.
    func page(language: PageLanguage, base: String = "", emoji: EmojiSet = EmojiSet()) throws -> PageContext {
        PageContext(
            site: settings.site, edition: try edition(), base: base, language: language, emoji: emoji,
            hasFeeds: settings.servesFeeds)
    }

    private static func edition(_ files: [String: [UInt8]]) throws -> Edition {
        var templates: [String: [UInt8]] = [:]
        var hash = SHA256()
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Data(name.utf8) + bytes)
            if name.hasSuffix(".mustache") { templates[String(name.dropLast(9))] = bytes }
        }
        let version = Hex.text(hash.finalize().prefix(6))
        let assets = files.compactMap { name, file in
            assetType(of: name).map { (name, Asset(file, type: $0)) }
        }
        var libraries: [PageLanguage: TemplateLibrary] = [:]
        for language in PageLanguage.allCases {
            libraries[language] = try TemplateLibrary(templates, words: language.text.words)
        }
        return Edition(
            files: files, assets: Dictionary(uniqueKeysWithValues: assets), templates: libraries, version: version)
    }
}
