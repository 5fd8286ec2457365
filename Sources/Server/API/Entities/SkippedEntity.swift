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
    /// The collection of skipped entities; `nil` to skip them silently.
    @TaskLocal public static var current: SkippedEntities?

    /// A response with more faulty entities than this is refused as a whole.
    static let maximum = 1000

    private let entities = Mutex<[SkippedEntity]>([])

    public init() {}

    public var all: [SkippedEntity] { entities.withLock { $0 } }

    var count: Int { entities.withLock { $0.count } }

    /// - Parameter count: The number of entities that were known before this one was decoded. Its own parts are not
    ///   listed again.
    func append(_ entity: SkippedEntity, after count: Int) {
        entities.withLock { entities in
            entities.removeSubrange(min(count, entities.count)...)
            entities.append(entity)
        }
    }
}

/// An element of a list that may be faulty, so that one faulty element does not make the whole list unreadable.
public struct Tolerant<Value: Decodable & Sendable>: Decodable, Sendable {
    /// `nil` if the element cannot be decoded.
    public let value: Value?

    /// Reports a faulty element to ``SkippedEntities/current``.
    /// - Throws: `DecodingError` only after many faulty elements, because each of them costs time.
    public init(from decoder: any Decoder) throws {
        let skipped = SkippedEntities.current
        let count = skipped?.count ?? 0
        guard count < SkippedEntities.maximum else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "Too many faulty elements."))
        }
        do {
            value = try Value(from: decoder)
        } catch {
            value = nil
            skipped?.append(SkippedEntity("\(Value.self)", error, decoder), after: count)
        }
    }
}

extension KeyedDecodingContainer {
    /// A value, or `standard` if it is missing or `null`.
    func value<Value: Decodable>(_ key: Key, or standard: Value) throws -> Value {
        try decodeIfPresent(Value.self, forKey: key) ?? standard
    }

    /// An id: a text, or a number on some servers.
    func id(_ key: Key) throws -> String {
        if let number = try? decode(Int64.self, forKey: key) { return String(number) }
        return try decode(String.self, forKey: key)
    }

    /// An id; `nil` if it is missing or `null`.
    func idIfPresent(_ key: Key) throws -> String? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try id(key)
    }

    /// The elements of a list that can be decoded; `nil` if the list is missing or `null`.
    func list<Element: Decodable & Sendable>(_ key: Key) throws -> [Element]? {
        try decodeIfPresent([Tolerant<Element>].self, forKey: key)?.compactMap(\.value)
    }

    /// A value that stands in for another one.
    /// - Throws: `DecodingError.keyNotFound` if it is missing.
    func required<Value>(_ value: Value?, _ key: Key) throws -> Value {
        guard let value else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: codingPath, debugDescription: "A required member is missing."))
        }
        return value
    }
}
