import Synchronization

/// An entity that could not be decoded.
public struct SkippedEntity: Sendable, Equatable {
    /// The kind of entity, such as `status`.
    public let kind: String
    /// Its id, if that can be decoded.
    public let id: String?
    /// The member that is missing or not as expected, such as `account.id`; empty if the whole entity is not.
    public let field: String

    public init(kind: String, id: String?, field: String) {
        self.kind = kind
        self.id = id
        self.field = field
    }

    /// - Parameters:
    ///   - type: The name of the entity's type.
    ///   - decoder: The decoder of the entity.
    init(_ type: String, _ error: any Error, _ decoder: any Decoder) {
        kind = type.reduce(into: "") { $0 += ($1.isUppercase && !$0.isEmpty ? " " : "") + $1.lowercased() }
        id = try? decoder.container(keyedBy: IDKey.self).id(.id)
        let path = Self.path(error).dropFirst(decoder.codingPath.count)
        field = path.map { $0.intValue.map { String($0) } ?? $0.stringValue }.joined(separator: ".")
    }

    private enum IDKey: String, CodingKey { case id }

    private static func path(_ error: any Error) -> [any CodingKey] {
        guard let error = error as? DecodingError else { return [] }
        return switch error {
        case .keyNotFound(let key, let context): context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath
        @unknown default: []
        }
    }
}

extension SkippedEntity: CustomStringConvertible {
    public var description: String {
        let name = id.map { "\(kind) \($0)" } ?? "a \(kind)"
        return "skipped \(name): " + (field.isEmpty ? "it is not as expected" : "its \(field) is not as expected")
    }
}

/// Collects the entities that are skipped while a response is decoded.
public final class SkippedEntities: Sendable {
    /// Where entities are collected; `nil` to skip them silently.
    @TaskLocal public static var current: SkippedEntities?

    /// A response with more faulty entities than this is refused as a whole.
    static let maximum = 1000

    private let found = Mutex<[SkippedEntity]>([])

    public init() {}

    public var all: [SkippedEntity] { found.withLock { $0 } }

    var count: Int { found.withLock { $0.count } }

    /// - Parameter count: The number of entities that were known before this one was decoded. Its own parts are not
    ///   listed again.
    func append(_ entity: SkippedEntity, after count: Int) {
        found.withLock { found in
            found.removeSubrange(min(count, found.count)...)
            found.append(entity)
        }
    }
}
