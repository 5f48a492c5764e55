"""Plays games of every shipped mission; prints which machine did, and how they ended."""

from __future__ import annotations

SEEDS = (1, 2)


def digests() -> list[str]:
    """The final states of games between random bots: of every mission, seed by seed, the most players it takes."""
    from fcbdsl.compiler import lower
    from fcbdsl.project import check_project
    from fcbdsl.sim.bots import RandomBot
    from fcbdsl.sim.playout import play_out
    from fcbdsl.vm.machine import Machine

    program = lower(check_project([])[0])
    machine = Machine(program)
    missions = [row.id for row in program.definitions if program.kinds[row.kind].policy == "mission"]
    out = []
    for mission in missions:
        for seed in SEEDS:
            world = machine.start(mission, program.players[1], seed, {})
            play_out(machine, world, [RandomBot(seed + n) for n in range(program.players[1])])
            out.append(machine.digest(world))
    return out


if __name__ == "__main__":
    from fcbdsl.vm import machine as played

    print(played.__file__, *digests())
