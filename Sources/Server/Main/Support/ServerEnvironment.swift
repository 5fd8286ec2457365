import ArgumentParser
import Foundation

/// Options set by environment variables; for example, `FEEDSERVER_BASE_URL` sets `--base-url`.
struct ServerEnvironment {
    let variables: [String: String]

    static let current = ServerEnvironment(variables: ProcessInfo.processInfo.environment)

    /// The value of an option; `nil` if the variable is unset or empty.
    /// - Parameter option: The name of the option without leading dashes.
    subscript(option: String) -> String? {
        variables[Self.name(option)].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The value of a flag; `false` if the variable is unset or empty.
    /// - Throws: `ValidationError` if the value is neither `true` nor `false`.
    func flag(_ option: String) throws -> Bool {
        switch self[option]?.lowercased() {
        case nil, "false": return false
        case "true": return true
        default: throw ValidationError("\(Self.name(option)) must be true or false.")
        }
    }

    /// The parsed value of an option; `nil` if the variable is unset or empty.
    /// - Throws: `ValidationError` if the value is invalid.
    func value<Value: ExpressibleByArgument>(_ option: String) throws -> Value? {
        guard let text = self[option] else { return nil }
        guard let value = Value(argument: text) else {
            throw ValidationError("\(Self.name(option)) has an invalid value.")
        }
        return value
    }

    private static func name(_ option: String) -> String {
        "FEEDSERVER_" + option.uppercased().replacing("-", with: "_")
    }
}
