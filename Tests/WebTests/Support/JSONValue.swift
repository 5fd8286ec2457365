import Foundation

/// A decoded JSON value that distinguishes booleans from numbers.
enum JSONValue: Sendable, Equatable, Decodable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    subscript(index: Int) -> JSONValue? {
        guard case .list(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var flag: Bool? {
        guard case .flag(let flag) = self else { return nil }
        return flag
    }

    var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    var list: [JSONValue]? {
        guard case .list(let list) = self else { return nil }
        return list
    }

    /// The `id` of this object, or of each object in this list.
    var ids: [String] {
        (list ?? [self]).compactMap { $0["id"]?.text }
    }
}
