import ArgumentParser
import Foundation

/// The environment's side of every option: `--base-url` is `FEEDSERVER_BASE_URL`.
struct ServerEnvironment {
    let variables: [String: String]

    static let current = ServerEnvironment(variables: ProcessInfo.processInfo.environment)

    /// The value for an option, named as on the command line without its dashes; an empty one counts as missing.
    subscript(option: String) -> String? {
        variables[Self.name(option)].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Throws: `ValidationError` when it is neither `true` nor `false`.
    func flag(_ option: String) throws -> Bool {
        switch self[option]?.lowercased() {
        case nil, "false": return false
        case "true": return true
        default: throw ValidationError("\(Self.name(option)) must be true or false.")
        }
    }

    /// - Throws: `ValidationError` when it is no such value.
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
