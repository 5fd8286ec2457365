package import Foundation

/// A record of the bulk import format: one line of NDJSON.
package enum ImportRecord: Sendable, Equatable {
    /// An account to be created.
    package struct Account: Decodable, Sendable, Equatable {
        package var username: String
        package var display_name: String?
        package var city: String?
        package var note: String?
        package var email: String?
        package var role: String?
        package var created_at: String?
        /// Images, as paths relative to the folder of the import file.
        package var avatar: String?
        package var header: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case username, display_name, city, note, email, role, created_at, avatar, header
        }

        package init(username: String) { self.username = username }
    }

    /// A follow between two accounts, given by username.
    package struct Follow: Decodable, Sendable, Equatable {
        package var from: String
        package var to: String

        enum CodingKeys: String, CodingKey, CaseIterable { case from, to }

        package init(from: String, to: String) {
            self.from = from
            self.to = to
        }
    }

    /// A status to be created. Times are in ISO 8601 format.
    package struct Status: Decodable, Sendable, Equatable {
        /// The number of the status within the file, referenced by `in_reply_to`.
        package var n: Int?
        package var author: String
        package var created_at: String
        package var language: String?
        package var source: String?
        package var text: String
        package var visibility: String?
        package var in_reply_to: Int?
        package var spoiler_text: String?
        package var sensitive: Bool?
        package var media: [Media]?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case n, author, created_at, language, source, text, visibility, in_reply_to, spoiler_text, sensitive, media
        }

        package init(author: String, created_at: String, text: String) {
            self.author = author
            self.created_at = created_at
            self.text = text
        }
    }

    case account(Account)
    case follow(Follow)
    case status(Status)

    /// Decodes one line.
    /// - Throws: ``FeedError`` `.malformed` with a description of the problem.
    package init(line: Data, decoder: JSONDecoder) throws(FeedError) {
        do {
            self = try decoder.decode(ImportLine.self, from: line).record
            guard !containsNUL else { throw FeedError.malformed("contains U+0000, which is not allowed") }
        } catch let error as FeedError {
            throw error
        } catch let error as DecodingError {
            throw FeedError(.malformed, error.plainText, cause: error)
        } catch {
            throw FeedError(.malformed, "is not a JSON object", cause: error)
        }
    }

    /// Whether a text contains U+0000, which would truncate it in the database.
    private var containsNUL: Bool {
        let texts: [String?] =
            switch self {
            case .account(let account):
                [
                    account.username, account.display_name, account.city, account.note, account.email, account.role,
                    account.avatar, account.header,
                ]
            case .follow(let follow): [follow.from, follow.to]
            case .status(let status):
                [status.author, status.language, status.source, status.text, status.visibility, status.spoiler_text]
                    + (status.media ?? []).flatMap { [$0.file, $0.description] }
            }
        return texts.contains { $0?.utf8.contains(0) == true }
    }

    /// Parses an ISO 8601 time.
    /// - Returns: Milliseconds since 1970, UTC.
    /// - Throws: ``FeedError`` `.malformed`.
    package static func time(_ text: String) throws(FeedError) -> Int64 {
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? fractional.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text)) else {
            throw .malformed("\"\(text.prefix(40))\" is not an ISO 8601 time")
        }
        guard let time = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) else {
            throw .malformed("\"\(text.prefix(40))\" is out of range")
        }
        return time
    }
}

extension FeedError {
    /// Adds the line number of an import file to an error.
    /// - Parameter number: The line number, starting at 1.
    package func atLine(_ number: Int) -> FeedError {
        FeedError(
            .malformed, "line \(number): \(plainMessage)",
            hint: "Nothing was imported; correct the line and import the file again.", cause: self)
    }
}

extension DecodingError {
    fileprivate var plainText: String {
        switch self {
        case .keyNotFound(let key, _): "has no \"\(key.stringValue)\""
        case .typeMismatch(_, let context) where !context.codingPath.isEmpty,
            .valueNotFound(_, let context) where !context.codingPath.isEmpty:
            "has a value of the wrong type for \"\(context.codingPath.map(\.stringValue).joined(separator: "."))\""
        default: "is not a JSON object"
        }
    }
}

extension ImportRecord {
    /// A file that is attached to a status.
    package struct Media: Decodable, Sendable, Equatable {
        /// The path of the file, relative to the folder of the import file.
        package var file: String
        package var description: String?
        /// The point that stays visible when the image is cropped: x and y, from -1 to 1.
        package var focus: [Double]?

        package init(file: String) { self.file = file }

        /// The path, and the properties that the line states.
        /// - Throws: ``FeedError`` `.malformed` for an invalid path or focus, `.invalid` for a long description.
        package func changes(_ limits: MediaLimits) throws(FeedError) -> (ImportPath, MediaChanges) {
            var changes = MediaChanges()
            changes.description = description
            try changes.check(limits)
            if let focus {
                guard focus.count == 2, focus.allSatisfy({ (-1...1).contains($0) }) else {
                    throw .malformed("the focus of \"\(file.prefix(80))\" must be two numbers from -1 to 1")
                }
                changes.focus = MediaFocus(x: focus[0], y: focus[1])
            }
            return (try ImportPath(file), changes)
        }
    }
}

/// A file that a staged record of an import names.
package struct ImportFile: Sendable, Equatable {
    /// The place where the file is shown.
    package enum Place: Sendable, Equatable {
        case avatar, header
        /// An attachment of the status with this id.
        case status(Int64)
    }

    package var path: ImportPath
    package var place: Place
    /// The owner.
    package var account: Int64
    /// The line that names the file, from 1.
    package var line: Int
    package var changes: MediaChanges

    package init(
        _ path: ImportPath, _ place: Place, of account: Int64, line: Int, changes: MediaChanges = MediaChanges()
    ) {
        self.path = path
        self.place = place
        self.account = account
        self.line = line
        self.changes = changes
    }
}

/// A file of an import, ready to be stored.
package struct ImportedFile: Sendable {
    package var file: ImportFile
    package var processed: ProcessedMedia
    /// The published blobs to which a row will refer: of an avatar or a header, the picture, and its
    /// still image unless that is the same.
    package var blobs: [Blob]

    /// - Parameter file: With the thumbnail, if the file is attached to a status.
    package init(_ file: ImportFile, _ processed: ProcessedMedia, blobs: [Blob]) {
        self.file = file
        self.processed = processed
        self.blobs = blobs
    }
}

/// The path of a file that a line of an import names. It cannot lead out of the folder of the import file.
package struct ImportPath: Sendable, Equatable, CustomStringConvertible {
    /// The maximum lengths of a path and of a name in it, in bytes.
    private static let maximumBytes = 1024
    private static let maximumNameBytes = 255

    /// The names of the folders, and of the file.
    package let names: [String]

    package var description: String { names.joined(separator: "/") }

    /// - Parameter text: Names separated by `/`.
    /// - Throws: ``FeedError`` `.malformed` for anything but plain names: an absolute path, `.`, `..`, an empty name.
    package init(_ text: String) throws(FeedError) {
        guard text.utf8.count <= Self.maximumBytes else {
            throw .malformed("the path of a file is longer than \(Self.maximumBytes) bytes")
        }
        names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        guard names.allSatisfy(Self.isPlain) else {
            throw .malformed(
                "\"\(text.prefix(80))\" is not the path of a file below the folder of the import file")
        }
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= maximumNameBytes && !name.utf8.contains(0)
    }
}
