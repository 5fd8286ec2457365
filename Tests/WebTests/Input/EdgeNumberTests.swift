import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Numbers at and beyond the limits of every type, in every integer parameter of every endpoint: nothing traps, and no
/// response is a server error. The requests come from the router's own list of routes, so that none is missed.
@Suite(.hangLimit)
struct EdgeNumberTests {
    /// Numbers that overflow when they are incremented, decremented or multiplied.
    private static let sharpest = [
        "9223372036854775807", "9223372036854775806", "-9223372036854775808", "9223372036854775808", "-1",
    ]
    /// And the names of texts that contain numbers.
    private static let parameters =
        IntegerParameter.allCases.map(\.rawValue) + ["media_attributes[0][id]", "list", "since"]

    /// Each parameter of a request with each of the sharpest numbers when soaking, and otherwise with one of them, in
    /// turn, because most parameters mean nothing to most endpoints.
    private static func single(_ index: Int) -> [(name: String, number: String)] {
        parameters.enumerated().flatMap { position, name in
            let turn = (index + position) % sharpest.count
            return (Soak.isEnabled ? sharpest : [sharpest[turn]]).map { (name, $0) }
        }
    }

    /// Any number in any parameter of any route; more of them when soaking.
    @Test func randomNumbersNeverCauseServerErrors() async throws {
        let seed = Soak.seed
        try await WebAPI.run { api in
            let world = try await EndpointWorld.make(api)
            var random = SplitMix64(seed: seed)
            let requests = try EdgeRequest.all(ids: world.ids, api)
            for _ in 0..<Soak.rounds(500, soaking: 500_000) {
                let request = requests[Int.random(in: requests.indices, using: &random)]
                let fields = (0..<3).map { _ in
                    let name = Self.parameters[Int.random(in: Self.parameters.indices, using: &random)]
                    return (name, Self.number(&random))
                }
                if request.method == .get {
                    try await Self.ask(api, request, request.path + Self.query(fields), nil, world)
                } else {
                    try await Self.ask(api, request, request.path, request.form(adding: fields), world)
                }
            }
        }
    }

    /// A number near a power of two, of either sign.
    private static func number(_ random: inout SplitMix64) -> String {
        if Bool.random(using: &random), let text = EdgeNumbers.texts.randomElement(using: &random) { return text }
        let power = Int64(bitPattern: 1 << UInt64.random(in: 0...63, using: &random))
        return String(power &+ Int64.random(in: -2...2, using: &random))
    }

    @Test func pathsAcceptOrRejectEveryNumber() async throws {
        try await WebAPI.run { api in
            let world = try await EndpointWorld.make(api)
            for request in try EdgeRequest.all(ids: world.ids, api) where request.hasPathParameters {
                for number in EdgeNumbers.texts {
                    let path = request.path(number.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "x")
                    try await Self.ask(api, request, path, request.body, world)
                }
            }
        }
    }

    /// Parts of the list of routes that are tried at the same time.
    private static let parts = 0..<4

    @Test(arguments: parts) func queriesAcceptOrRejectEveryNumber(part: Int) async throws {
        try await WebAPI.run { api in
            let world = try await EndpointWorld.make(api)
            for (index, request) in try EdgeRequest.all(ids: world.ids, api).enumerated()
            where index % Self.parts.count == part {
                for number in EdgeNumbers.texts {
                    let fields = Self.parameters.map { ($0, number) }
                    try await Self.ask(api, request, request.path + Self.query(fields), request.body, world)
                }
                for field in Self.single(index) {
                    try await Self.ask(api, request, request.path + Self.query([field]), request.body, world)
                }
            }
        }
    }

    @Test(arguments: parts) func bodiesAcceptOrRejectEveryNumber(part: Int) async throws {
        try await WebAPI.run { api in
            let world = try await EndpointWorld.make(api)
            for (index, request) in try EdgeRequest.all(ids: world.ids, api).enumerated()
            where index % Self.parts.count == part && request.method != .get {
                for number in EdgeNumbers.texts {
                    let fields = Self.parameters.map { ($0, number) }
                    try await Self.ask(api, request, request.path, request.form(adding: fields), world)
                    try await Self.ask(api, request, request.path, Self.json(number), world)
                }
                for field in Self.single(index) {
                    try await Self.ask(api, request, request.path, request.form(adding: [field]), world)
                }
            }
        }
    }

    private static func ask(
        _ api: WebAPI, _ request: EdgeRequest, _ path: String, _ body: WebBody?, _ world: EndpointWorld
    ) async throws {
        let response = try await api.send(request.method, path, as: world.people[request.viewer], body)
        #expect(response.status < 500, "\(request.method) \(path): \(response.summary)")
    }

    private static func query(_ fields: [(String, String)]) -> String { "?" + encoded(fields) }

    fileprivate static func encoded(_ fields: [(String, String)]) -> String {
        func escaped(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
        return fields.map { escaped($0.0) + "=" + escaped($0.1) }.joined(separator: "&")
    }

    /// As a number, if it is a valid one, and as text.
    private static func json(_ number: String) -> WebBody {
        let isNumber = (try? JSONDecoder().decode(Double.self, from: Data(number.utf8))) != nil
        let members = parameters.map { "\"\($0)\":" + (isNumber ? number : "\"\(number)\"") }
        return .json(
            #"{"status":"x","poll[options]":["a","b"],"# + members.joined(separator: ",") + "}")
    }
}

/// A route with a request that is valid except for its numbers.
private struct EdgeRequest {
    let method: HTTPRequest.Method
    /// The path with its parameters replaced.
    let path: String
    /// The path with `{}` for each parameter.
    private let template: String
    private let formText: String?
    let viewer: String

    var body: WebBody? { formText.map { .form($0) } }
    var hasPathParameters: Bool { template.contains("{}") }

    func path(_ number: String) -> String { template.replacing("{}", with: number) }

    /// The form with other values of some fields. A poll is complete, so that its duration is read.
    func form(adding fields: [(String, String)]) -> WebBody {
        let names = Set(fields.map(\.0))
        let poll = names.contains(IntegerParameter.pollSeconds.rawValue) ? "poll[options][]=a&poll[options][]=b" : nil
        let kept = (formText ?? "").split(separator: "&").filter { field in
            let name = field.prefix { $0 != "=" }
            return !names.contains(name.removingPercentEncoding ?? String(name))
        }
        return .form(
            (kept.map(String.init) + [poll, EdgeNumberTests.encoded(fields)].compactMap(\.self)).joined(separator: "&"))
    }

    /// All routes of the server, with the bodies of ``APIEndpoint`` if there are any.
    static func all(ids: [String: String], _ api: WebAPI) throws -> [EdgeRequest] {
        api.test.services.endpoints().filter { $0.method != .head }.map { route in
            let parts = route.path.pattern.split(separator: "/").map(String.init)
            let known = APIEndpoint.all.first {
                $0.method == route.method && matches(parts, $0.route.split(separator: "/").map(String.init))
            }
            let template = "/" + parts.map { hole($0) }.joined(separator: "/")
            let plain = template.replacing("{}", with: ids["status"] ?? "1")
            return EdgeRequest(
                method: route.method, path: known.map { String($0.path(ids).prefix { $0 != "?" }) } ?? plain,
                template: template,
                formText: known?.form.map { form in ids.reduce(form) { $0.replacing("{\($1.key)}", with: $1.value) } },
                viewer: known?.viewer ?? "ada")
        }
    }

    /// `{id}` → `{}`, `@{name}` → `@{}`.
    private static func hole(_ part: String) -> String {
        guard let open = part.firstIndex(of: "{") else { return part }
        return part[..<open] + "{}"
    }

    private static func matches(_ route: [String], _ known: [String]) -> Bool {
        route.count == known.count && zip(route, known).allSatisfy { $0 == $1 || hole($0) == "{}" && $1.hasPrefix(":") }
    }
}
