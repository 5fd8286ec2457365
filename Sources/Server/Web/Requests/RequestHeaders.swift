package import HTTPTypes
package import NIOHPACK
package import NIOHTTP1

/// The header fields of a request, as the decoder of its protocol delivers them. They are converted only for the few
/// rules that need all of them.
package enum RequestHeaders: Sendable {
    case http1(HTTPHeaders)
    case http2(HPACKHeaders)

    /// The values of a field, in the order of its lines.
    package subscript(values name: HTTPField.Name) -> [String] {
        switch self {
        case .http1(let headers): headers[name.rawName]
        case .http2(let headers): headers[name.canonicalName]
        }
    }

    /// The value of a field, whose lines are combined (RFC 9110 §5.3); `nil` without the field.
    package subscript(name: HTTPField.Name) -> String? {
        var combined: String?
        func add(_ other: String, _ value: String) {
            guard Self.isSame(other, name.canonicalName) else { return }
            combined = combined.map { $0 + (name == .cookie ? "; " : ", ") + value } ?? value
        }
        switch self {
        case .http1(let headers): for (name, value) in headers { add(name, value) }
        case .http2(let headers): for (name, value, _) in headers { add(name, value) }
        }
        return combined
    }

    /// - Parameter canonical: Lowercase, in ASCII.
    private static func isSame(_ name: String, _ canonical: String) -> Bool {
        guard name.utf8.count == canonical.utf8.count else { return false }
        return zip(name.utf8, canonical.utf8).allSatisfy { $0 == $1 || (0x41...0x5A).contains($0) && $0 | 0x20 == $1 }
    }

    package func contains(_ name: HTTPField.Name) -> Bool {
        switch self {
        case .http1(let headers): headers.contains { Self.isSame($0.name, name.canonicalName) }
        case .http2(let headers): headers.contains { Self.isSame($0.name, name.canonicalName) }
        }
    }

    /// All fields, without Host and pseudo-header fields.
    package var all: HTTPFields {
        var fields = HTTPFields()
        func add(_ name: String, _ value: String) {
            guard let name = HTTPField.Name(name), name != .hostField else { return }
            fields.append(HTTPField(name: name, value: value))
        }
        switch self {
        case .http1(let headers): for (name, value) in headers { add(name, value) }
        case .http2(let headers): for (name, value, _) in headers { add(name, value) }
        }
        return fields
    }
}
