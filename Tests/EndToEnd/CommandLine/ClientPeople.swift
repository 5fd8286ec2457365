import FeedTestSupport
import Foundation
import Testing

/// A server, and people who are logged in to it.
struct ClientPeople {
    let server: ServerProcess
    let homes: [ClientHome]

    static func start(_ names: String...) async throws -> ClientPeople {
        let server = try await ServerProcess.start()
        var homes: [ClientHome] = []
        for name in names {
            try await server.addAccount(name)
            let home = try ClientHome()
            let login = try await home.login(server, name)
            try #require(login.code == 0, "\(login.error)")
            homes.append(home)
        }
        return ClientPeople(server: server, homes: homes)
    }
}

extension Finished {
    /// The JSON object on standard output.
    func object() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any], "\(code) \(error)")
    }

    /// The JSON objects on standard output, one on each line.
    func objects() throws -> [[String: Any]] {
        try #require(code == 0, "\(error)")
        return try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    /// The ids of the JSON objects on standard output, such as those of statuses.
    func ids() throws -> [String] { try objects().map { object in try #require(object["id"] as? String) } }

    /// The last component of the printed address, such as the id of a posted status.
    func id() throws -> String {
        try #require(text.split(separator: "/").last, "\(code) \(error)").trimmingCharacters(in: .newlines)
    }
}
