package import Foundation

/// One line of the bulk format (NDJSON).
package enum ImportRecord: Sendable, Equatable {
    package struct Account: Decodable, Sendable, Equatable {
        package var username: String
        package var display_name: String?
        package var city: String?
        package var note: String?
        package var email: String?
        package var role: String?
        package var created_at: String?

        package init(username: String) { self.username = username }
    }

    package struct Follow: Decodable, Sendable, Equatable {
        package var from: String
        package var to: String

        package init(from: String, to: String) {
            self.from = from
            self.to = to
        }
    }

    package struct Status: Decodable, Sendable, Equatable {
        /// Number within the file, what `in_reply_to` refers to.
        package var n: Int?
        package var author: String
        package var created_at: String
        package var language: String?
        package var source: String?
        package var text: String
        package var visibility: String?
        package var in_reply_to: Int?
        package var spoiler_text: String?

        package init(author: String, created_at: String, text: String) {
            self.author = author
            self.created_at = created_at
            self.text = text
        }
    }

    case account(Account)
    case follow(Follow)
    case status(Status)

    private struct Kind: Decodable { var kind: String }

    /// Reads one line.
    /// - Throws: ``FeedError`` `.malformed` naming what is wrong with it.
    package init(line: Data, decoder: JSONDecoder) throws(FeedError) {
        do {
            switch try decoder.decode(Kind.self, from: line).kind {
            case "account": self = .account(try decoder.decode(Account.self, from: line))
            case "follow": self = .follow(try decoder.decode(Follow.self, from: line))
            case "status": self = .status(try decoder.decode(Status.self, from: line))
            case let other: throw FeedError.malformed("unknown kind \"\(other.prefix(40))\"")
            }
            guard !holdsNUL else { throw FeedError.malformed("holds U+0000, which no text may") }
        } catch let error as FeedError {
            throw error
        } catch let error as DecodingError {
            throw FeedError(.malformed, error.plainText, cause: error)
        } catch {
            throw FeedError(.malformed, "is no JSON object", cause: error)
        }
    }

    /// A database ends a text there.
    private var holdsNUL: Bool {
        let texts: [String?] =
            switch self {
            case .account(let account):
                [account.username, account.display_name, account.city, account.note, account.email, account.role]
            case .follow(let follow): [follow.from, follow.to]
            case .status(let status):
                [status.author, status.language, status.source, status.text, status.visibility, status.spoiler_text]
            }
        return texts.contains { $0?.utf8.contains(0) == true }
    }

    /// Milliseconds since 1970.
    package static func time(_ text: String) throws(FeedError) -> Int64 {
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? fractional.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text)) else {
            throw .malformed("\"\(text.prefix(40))\" is not an ISO 8601 time")
        }
        guard let time = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) else {
            throw .malformed("\"\(text.prefix(40))\" is too far away")
        }
        return time
    }
}

extension FeedError {
    /// This error as that of a line of an import.
    /// - Parameter number: Counts from 1.
    package func inLine(_ number: Int) -> FeedError {
        FeedError(
            .malformed, "line \(number): \(plainMessage)",
            hint: "Nothing was imported; mend the line and import again.", cause: self)
    }
}

extension DecodingError {
    fileprivate var plainText: String {
        switch self {
        case .keyNotFound(let key, _): "lacks \"\(key.stringValue)\""
        case .typeMismatch(_, let context) where !context.codingPath.isEmpty,
            .valueNotFound(_, let context) where !context.codingPath.isEmpty:
            "has a wrong type at \"\(context.codingPath.map(\.stringValue).joined(separator: "."))\""
        default: "is no JSON object"
        }
    }
}
